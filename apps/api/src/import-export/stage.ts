import type { KeySealer } from '../crypto/key-vault.ts'
import { hashPassword, verifyPassword } from '../crypto/password.ts'
import { newId } from '../ids.ts'
import { accountTable } from '../records/account.ts'
import { apiKeyTable } from '../records/api-key.ts'
import { type CheckedRecord, checkRecord, type FieldIssue } from '../records/check-record.ts'
import { createStagedRow } from '../records/columns.ts'
import { itemTable } from '../records/item.ts'
import { purchaseTable } from '../records/purchase.ts'
import type { ReportIssue } from '../records/table.ts'
import { byType, type Records } from '../records/tables.ts'
import { workspaceTable } from '../records/workspace.ts'
import { checkLine, checkOwnRecord } from './check-line.ts'
import type { Line } from './lines.ts'
import type { LineIssues } from './problems.ts'
import type { ImportTarget } from './target.ts'

interface StageOptions {
  lineIssues: LineIssues
  vault: KeySealer
  now: Date
  /** Whose records they are, where they do not say it. */
  workspace?: string | undefined
}

const isAmountField = (field: string | null) => field === 'price' || field === 'currency'

const isShortCode = (code: string) => code.length < 12 || (code.length < 24 && [...code].length < 12)

const rows = {
  account: createStagedRow(accountTable),
  workspace: createStagedRow(workspaceTable),
  item: createStagedRow(itemTable),
  api_key: createStagedRow(apiKeyTable),
  purchase: createStagedRow(purchaseTable),
}

/** Checks lines one by one and writes their rows into staging. Only accounts make it wait. */
export function createStage(
  { stage, storedHash }: Pick<ImportTarget, 'stage' | 'storedHash'>,
  { lineIssues, vault, now, workspace }: StageOptions,
) {
  const createdAt = now.getTime()
  const given = byType(() => 0)
  let isValid = true

  const reporter =
    (line: number): ReportIssue =>
    (field, issue) => {
      isValid = false
      lineIssues.problem({ line, field, issue })
    }

  /** The hashes of the passwords that the file gives. */
  const hashes = new Map<string, string>()

  /** A password that the account has already keeps its hash, so that loading a file twice changes nothing. */
  async function hashOnce(username: string, password: string): Promise<string> {
    for (const known of [hashes.get(username), await storedHash(username)])
      if (known && (await verifyPassword(known, password))) return known
    const made = await hashPassword(password)
    hashes.set(username, made)
    return made
  }

  async function stageAccount(line: number, record: Records['account']) {
    accountTable.check(record, reporter(line))
    // Hashing takes long; a file that is refused anyway should not wait for it.
    if (!isValid) return
    const { username, password } = record
    const cleared = password === null ? null : undefined
    const password_hash = password ? await hashOnce(username, password) : (record.password_hash ?? cleared)
    stage('account', line, rows.account({ ...record, password_hash }, reporter(line), { id: newId() }))
  }

  function stageKey(line: number, record: Records['api_key']) {
    const keyHash = vault.hash(record.key)
    const keyCipher = vault.seal(record.key)
    const generated = { keyHash, keyCipher, createdAt, id: newId() }
    const replaces = record.replaces && vault.hash(record.replaces)
    stage('api_key', line, rows.api_key({ ...record, replaces }, reporter(line), generated))
  }

  function stagePurchase(line: number, record: Records['purchase']) {
    if (isShortCode(record.purchase_code)) {
      lineIssues.warning({ line, field: 'purchase_code', issue: 'code_short' })
    }
    const { downloaded, ...known } = record
    // The export of a shop does not know that a purchase was downloaded here.
    const read = lineIssues.sales ? known : record
    stage('purchase', line, rows.purchase(read, reporter(line), { importedAt: createdAt }))
  }

  function stageRecord(line: number, record: CheckedRecord): Promise<void> | undefined {
    given[record.type] += 1
    switch (record.type) {
      case 'account':
        return stageAccount(line, record)
      case 'api_key':
        stageKey(line, record)
        return
      case 'workspace':
        stage('workspace', line, rows.workspace(record, reporter(line), { createdAt }))
        return
      case 'item':
        itemTable.check(record, reporter(line))
        stage('item', line, rows.item(record, reporter(line)))
        return
      case 'purchase':
        stagePurchase(line, record)
        return
    }
  }

  function check({ text, value, issues }: Line) {
    // What a sales file has beside its own issues is found, too.
    if (issues?.length && value === undefined) return { issues: [] }
    if (value === undefined) return checkLine(text, workspace)
    return workspace === undefined ? checkRecord(value) : checkOwnRecord(value, workspace)
  }

  /** Amounts are checked with their currency, once every field is read: those of a sale with other problems, too. */
  function checkAmounts({ number, value }: Line, issues: readonly FieldIssue[]) {
    if (!lineIssues.sales || value === undefined || issues.some(({ field }) => isAmountField(field))) return
    const { price, currency } = value as Records['purchase']
    rows.purchase({ price, currency }, reporter(number))
  }

  /** Returns a promise only where it has to wait. */
  function stageLine(line: Line): Promise<void> | undefined {
    const { number } = line
    lineIssues.reading(line)
    const checked = check(line)
    const issues = [...(line.issues ?? []), ...('issues' in checked ? checked.issues : [])]
    if (issues.length > 0) isValid = false
    for (const each of issues) lineIssues.problem({ line: number, ...each })
    if ('record' in checked) return stageRecord(number, checked.record)
    checkAmounts(line, issues)
    return
  }

  return { stageLine, given }
}
