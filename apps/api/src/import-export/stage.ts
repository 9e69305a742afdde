import { sqliteDateTime } from '../db/sqlite-datetime.ts'
import { newId } from '../ids.ts'
import { checkLine } from './check-line.ts'
import type { Line } from './lines.ts'
import type { Passwords } from './passwords.ts'
import type { Findings } from './problems.ts'
import type { AccountRecord, ApiKeyRecord, ImportRecord, PurchaseRecord } from './records.ts'
import { absent, accountRow, apiKeyRow, itemRow, purchaseRow, type Report, workspaceRow } from './rows.ts'
import type { StagingWriter } from './target.ts'

/** What an import needs of the key vault. In a worker the vault is on the other side of a port, so it may take a moment. */
export interface KeySealer {
  hash: (key: string) => string | Promise<string>
  seal: (key: string) => Uint8Array | Promise<Uint8Array>
}

interface StageOptions {
  writer: StagingWriter
  findings: Findings
  passwords: Passwords
  vault: KeySealer
  now: Date
}

const shortCode = (code: string) => code.length < 12 || (code.length < 24 && [...code].length < 12)

/** Checks lines one by one and writes their rows into staging. Only accounts and keys make it wait. */
export function createStage({ writer, findings, passwords, vault, now }: StageOptions) {
  const createdAt = sqliteDateTime(now)
  let sound = true

  const reporter =
    (line: number): Report =>
    (member, issue) => {
      sound = false
      findings.problem({ line, member, issue })
    }

  async function stageAccount(line: number, record: AccountRecord) {
    const row = accountRow(record, reporter(line))
    const { username, password, password_hash } = record
    // Hashing takes long; a file that is refused anyway should not wait for it.
    if (!sound) return
    const hash = password ? await passwords.hash(username, password) : (password_hash ?? null)
    const left = password === undefined && password_hash === undefined
    writer.add('account', line, [...row, left ? absent : hash, newId()])
  }

  async function stageKey(line: number, record: ApiKeyRecord) {
    const [hash, sealed] = [await vault.hash(record.key), await vault.seal(record.key)]
    writer.add('api_key', line, [...apiKeyRow(record), hash, sealed, createdAt, newId()])
    for (const itemId of record.items ?? []) writer.bind(line, itemId)
  }

  function stagePurchase(line: number, record: PurchaseRecord) {
    if (shortCode(record.purchase_code)) {
      findings.warning({ line, member: 'purchase_code', issue: 'code_short' })
    }
    writer.add('purchase', line, purchaseRow(record, reporter(line)))
    writer.sell(line, record.item)
  }

  function stageRecord(line: number, record: ImportRecord): Promise<void> | undefined {
    switch (record.type) {
      case 'account':
        return stageAccount(line, record)
      case 'api_key':
        return stageKey(line, record)
      case 'workspace':
        writer.add('workspace', line, [...workspaceRow(record), createdAt, newId()])
        return
      case 'item':
        writer.add('item', line, itemRow(record, reporter(line)))
        return
      case 'purchase':
        stagePurchase(line, record)
        return
    }
  }

  /** Gives a promise only where there is something to wait for. */
  return function stageLine({ number, text, issue }: Line): Promise<void> | undefined {
    const checked = issue ? { issues: [{ member: null, issue }] } : checkLine(text)
    if ('record' in checked) return stageRecord(number, checked.record)
    sound = false
    for (const each of checked.issues) findings.problem({ line: number, ...each })
    return
  }
}
