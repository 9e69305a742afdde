import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { withChecksum } from '../../crypto/api-key.ts'
import type { KeyVault } from '../../crypto/key-vault.ts'
import type { Database } from '../../db/database.ts'
import { databaseErrors } from '../../db/error-kinds.ts'
import { DatabaseError } from '../../db/errors.ts'
import type { OpenDatabase } from '../../open-database.ts'
import { packageRoot } from '../../package.ts'
import { sealCode } from '../../usage/failed-codes.ts'
import { purchaseRef, purchaseRemoval } from '../../usage/purchase-use.ts'
import type { FailedCode, PurchaseUse } from '../../usage/usage-store.ts'
import { UserError } from '../../user-error.ts'
import { demoValidations } from './validations.ts'

/** Without Prisma: a service that starts should not wait for it to load. */
type DemoDatabase = Pick<OpenDatabase, 'importRecords' | 'usage' | 'vault'> & {
  database: Pick<Database, 'read'>
}

/** When the last sale of the file was made. */
const fileEnd = Date.parse('2026-11-24T12:00:00Z')

export const holdsAccounts = async ({ database: { read } }: DemoDatabase) =>
  (await read('SELECT 1 FROM "Account" LIMIT 1')).length > 0

/** A code, key or password that follows from the deployment's secret. */
function derive(vault: KeyVault, purpose: string): string {
  // No key contains a space, so this is never the hash of a key.
  const text = vault.hash(`saleproof demo ${purpose}`).replace(/[^0-9A-Za-z]/g, '')
  if (purpose === 'key' || purpose.startsWith('plugin')) return withChecksum(`sp_${text.slice(0, 32)}`)
  return text.toUpperCase().replace(/^(.{5})(.{5})(.{5})(.{5})(.{5}).*/, '$1-$2-$3-$4-$5')
}

const createDemo = (vault: KeyVault) => ({
  apiKey: derive(vault, 'key'),
  purchaseCode: derive(vault, 'purchase 0'),
  // The one that the account `demo` is made with.
  password: derive(vault, 'password'),
})

export type Demo = ReturnType<typeof createDemo>

/** Finds a demo that was loaded before, if its key and code are still valid. Writes nothing. */
export async function findDemo({ database: { read }, vault }: DemoDatabase): Promise<Demo | undefined> {
  const demo = createDemo(vault)
  const valid = await read(
    `SELECT 1 FROM "ApiKey" k JOIN "Purchase" p ON p."workspaceId" = k."workspaceId" WHERE k."keyHash" = $1
      AND k."revokedAt" IS NULL AND k."expiresAt" IS NULL AND p.code = $2 AND p.state = 'active'`,
    vault.hash(demo.apiKey),
    demo.purchaseCode,
  )
  return valid.length > 0 ? demo : undefined
}

type Use = Omit<PurchaseUse, 'purchase'> & { code: string }

type Failure = Pick<FailedCode, 'reason' | 'lastAt' | 'count'> & { code: string }

/** The file with the dates of this load and the codes of this deployment: what was imported together, and what was used. */
async function readDemo(vault: KeyVault, end: number) {
  const text = (await readFile(new URL('demo.ndjson', packageRoot), 'utf8'))
    .replace(/\d{4}-\d\d-\d\dT[\d:]+Z/g, (at) => new Date(Date.parse(at) - fileEnd + end).toISOString())
    .replace(/<(.+?)>/g, (_, purpose: string) => derive(vault, purpose))
  const [records = '', ...used] = text.split(/^(?={"type":"(?:use|failure)")/m)
  const dates = (name: string, value: unknown) => (name.endsWith('At') ? Date.parse(String(value)) : value)
  const { use = [], failure = [] } = Object.groupBy(
    used.map((line) => JSON.parse(line, dates)),
    ({ type }) => type,
  )
  const imports = records.split(/^(?={"type":"import")/m).map((part) => {
    const [head = '', ...lines] = part.split('\n')
    const { at, actor }: { at: string; actor: 'cli' | 'admin-import' | 'owner' } = JSON.parse(head)
    return { at: new Date(at), actor, lines: lines.join('\n') }
  })
  return { imports, uses: use as Use[], failures: failure as Failure[] }
}

type DemoFile = Awaited<ReturnType<typeof readDemo>>

/** Adds what its customers have validated to the usage statistics. */
async function addUsage(
  { database: { read }, usage, vault }: DemoDatabase,
  { uses, failures }: DemoFile,
  end: number,
) {
  const keys = await read<{ id: string; workspaceId: number; name: string; replacesId: string | null }>(
    `SELECT k.id, k."workspaceId", k.name, k."replacesId"
      FROM "ApiKey" k JOIN "Workspace" w ON w.id = k."workspaceId" WHERE w.slug = 'demo'`,
  )
  const key = keys.find(({ name }) => name === 'demo')
  if (!key) return
  const { id: keyId, workspaceId } = key
  const use = (keyId: string, minutesAgo: number, client: string) =>
    ({ keyId, at: end - minutesAgo * 60_000, operation: 'validatePurchase', client }) as const
  const keyUses = [use(keyId, 0, 'GuzzleHttp/7')]
  const successor = keys.find(({ replacesId }) => replacesId !== null)
  if (successor?.replacesId)
    keyUses.push(use(successor.id, 4, 'WordPress/6.8'), use(successor.replacesId, 50, 'WordPress/6.5'))
  const purchases = uses.map(({ code, ...use }) => {
    const purchase = purchaseRef(workspaceId, code)
    return { ...use, purchase, removal: purchaseRemoval(vault, purchase) }
  })
  const failed = failures.map(({ code, ...failure }) => ({
    ...failure,
    workspaceId,
    keyId,
    ...sealCode(vault, code),
  }))
  const counts = demoValidations(workspaceId, keyId, end)
  await usage.record({ keyUses, counts, purchases, failed }, end)
}

async function importAll({ database: { read }, importRecords }: DemoDatabase, imports: DemoFile['imports']) {
  for (const { at, actor, lines } of imports) {
    const [owner] = await read<{ id: string }>(`SELECT id FROM "Account" WHERE username = 'demo'`)
    const options = actor === 'owner' ? ({ actor: `console:${owner?.id}`, manual: true } as const) : { actor }
    await importRecords({ source: Readable.from([Buffer.from(lines)]), now: () => at, ...options })
  }
}

/** Loads the demo workspace, unless it was loaded before. */
export async function loadDemo(opened: DemoDatabase, { now }: { now: () => Date }): Promise<Demo> {
  const known = await findDemo(opened)
  if (known) return known
  const workspaces = await opened.database.read(`SELECT 1 FROM "Workspace" WHERE slug = 'demo'`)
  if (workspaces.length > 0)
    throw new UserError(
      'the key or the purchases of the demo workspace were changed: load it into another database',
    )
  const { vault } = opened
  const end = Math.floor(now().getTime() / 1000) * 1000
  const file = await readDemo(vault, end)
  try {
    await importAll(opened, file.imports)
    await addUsage(opened, file, end)
  } catch (error) {
    // It is imported in parts, as it would have come about.
    if (!(error instanceof DatabaseError) || !(await holdsAccounts(opened))) throw error
    const { text } = databaseErrors[error.kind]
    throw new UserError(`${text}, and a part of the demo is stored: load it into another database`)
  }
  return createDemo(vault)
}
