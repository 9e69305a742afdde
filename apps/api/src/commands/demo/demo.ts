import { generateApiKey } from '../../crypto/api-key.ts'
import type { KeyVault } from '../../crypto/key-vault.ts'
import { verifyPassword } from '../../crypto/password.ts'
import type { OpenDatabase } from '../../open-database.ts'
import { sealCode } from '../../usage/failed-codes.ts'
import { demoItems } from './catalogue.ts'
import {
  demoFailedCodes,
  demoImports,
  demoPurchaseUse,
  demoSale,
  demoValidations,
  saleCount,
} from './history.ts'

export interface Demo {
  apiKey: string
  /** A valid code. */
  purchaseCode: string
  /** The item of that purchase. */
  itemId: number
  /** The password of the account `demo`; undefined if it was changed. */
  password: string | undefined
}

/** Without Prisma: a service that starts should not wait for it to load. */
type DemoDatabase = Pick<OpenDatabase, 'select' | 'importRecords' | 'usage' | 'vault'>

const account = (password: string) => ({
  type: 'account',
  username: 'demo',
  email: 'demo@example.com',
  name: { firstname: 'Demo', lastname: 'Seller', full_name: 'Demo Seller' },
  balance: 1250.5,
  currency: 'USD',
  profile: {
    heading: 'Icons, footage and sound',
    description: 'A workspace to try things on. Nothing in it is for sale.',
    contact: { email: 'support@example.com' },
    social_links: { x: 'https://example.com/x/demo', facebook: 'https://example.com/facebook/demo' },
    media: { avatar: 'https://example.com/media/avatar.png', cover: 'https://example.com/media/cover.png' },
  },
  registered_at: '2023-01-31T08:00:00Z',
  password,
})

const workspace = { type: 'workspace', slug: 'demo', name: 'Demo Studio', owner: 'demo' }

export const holdsAccounts = async ({ select }: DemoDatabase) =>
  (await select('SELECT 1 FROM "Account" LIMIT 1')).length > 0

/** The valid key of a demo that was loaded before: loading it again must change nothing. */
async function findKey({ select, vault }: DemoDatabase): Promise<string | undefined> {
  const [row] = await select<{ keyCipher: Buffer; keyHash: string }>(
    `SELECT k."keyCipher", k."keyHash" FROM "ApiKey" k JOIN "Workspace" w ON w.id = k."workspaceId"
      WHERE w.slug = 'demo' AND k.name = 'demo' AND k."revokedAt" IS NULL AND k."expiresAt" IS NULL
        AND NOT k.publishable ORDER BY k."createdAt", k.id LIMIT 1`,
  )
  return row && vault.open(row.keyCipher, row.keyHash)
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const inGroups = (text: string) => text.match(/.{5}/g)?.slice(0, 5).join('-') ?? text

// Derived from the deployment's secret. No key contains a space, so this is never the hash of a key.
const secret = (vault: KeyVault, purpose: string) =>
  vault.hash(`saleproof demo ${purpose}`).replace(/[^0-9A-Za-z]/g, '')

const code = (vault: KeyVault, index: number) => inGroups(secret(vault, `purchase ${index}`).toUpperCase())

/** A publishable key that is being rotated: the plugins of some customers still have the old one. */
function pluginKeys(vault: KeyVault, end: number) {
  const key = (purpose: string) => `sp_${secret(vault, purpose).slice(0, 38)}`
  const [old, successor] = [key('plugin'), key('plugin, new')]
  const plugin = { type: 'api_key', workspace: 'demo', name: 'WordPress plugin', publishable: true }
  return {
    old: { ...plugin, key: old, expires_at: new Date(end + 5 * dayMs).toISOString() },
    successor: { ...plugin, key: successor, replaces: old },
  }
}

const demo = (vault: KeyVault, apiKey: string) => ({
  apiKey,
  purchaseCode: code(vault, 0),
  // The list of the catalogue is not empty.
  itemId: demoItems[0]!.id,
  password: secret(vault, 'password').slice(0, 20),
})

/** Finds a demo that was loaded before, if its key and code are still valid. Writes nothing. */
export async function findDemo(database: DemoDatabase): Promise<Demo | undefined> {
  const apiKey = await findKey(database)
  if (apiKey === undefined) return undefined
  const found = demo(database.vault, apiKey)
  const validating = await database.select(
    `SELECT 1 FROM "Purchase" p JOIN "Workspace" w ON w.id = p."workspaceId"
      WHERE w.slug = 'demo' AND p.code = $1 AND p.state = 'active'`,
    found.purchaseCode,
  )
  if (validating.length === 0) return undefined
  const [owner] = await database.select<{ passwordHash: string | null }>(
    `SELECT "passwordHash" FROM "Account" WHERE username = 'demo'`,
  )
  const isUnchanged = await verifyPassword(owner?.passwordHash ?? '', found.password)
  return { ...found, password: isUnchanged ? found.password : undefined }
}

/** When the last sale was made; undefined before the first load. */
async function findEnd({ select, vault }: DemoDatabase): Promise<number | undefined> {
  const [row] = await select<{ date: number | Date }>(
    `SELECT p.date FROM "Purchase" p JOIN "Workspace" w ON w.id = p."workspaceId" WHERE w.slug = 'demo' AND p.code = $1`,
    code(vault, saleCount - 1),
  )
  return row && new Date(row.date).getTime()
}

/** Adds what its customers have validated to the usage statistics. */
async function addValidations({ select, usage, vault }: DemoDatabase, codes: readonly string[], end: number) {
  const keys = await select<{ id: string; workspaceId: number; name: string; replacesId: string | null }>(
    `SELECT k.id, k."workspaceId", k.name, k."replacesId"
      FROM "ApiKey" k JOIN "Workspace" w ON w.id = k."workspaceId" WHERE w.slug = 'demo'`,
  )
  const key = keys.find(({ name }) => name === 'demo')
  if (!key) return
  const successor = keys.find(({ replacesId }) => replacesId !== null)
  const store = usage()
  await store.appendCounts(demoValidations(key.workspaceId, key.id, end), end)
  await store.rollUp()
  await store.recordPurchaseUse(demoPurchaseUse(key.workspaceId, codes, end))
  const failed = demoFailedCodes(end, (index) => code(vault, index))
  await store.recordFailedCodes(
    failed.map(({ code, ...rest }) => ({
      ...rest,
      ...sealCode(vault, code),
      workspaceId: key.workspaceId,
      keyId: key.id,
    })),
    end,
  )
  const use = (at: number, client: string) => ({ at, operation: 'validatePurchase', client }) as const
  const uses = new Map([[key.id, use(end, 'GuzzleHttp/7')]])
  if (successor?.replacesId) {
    uses.set(successor.id, use(end - 4 * minuteMs, 'WordPress/6.8'))
    uses.set(successor.replacesId, use(end - 50 * minuteMs, 'WordPress/6.5'))
  }
  await store.recordKeyUse(uses)
}

async function* linesOf(records: readonly object[]) {
  yield Buffer.from(records.map((record) => JSON.stringify(record)).join('\n'))
}

async function importHistory(
  { select, importRecords }: DemoDatabase,
  imports: ReturnType<typeof demoImports>,
) {
  const ownerOf = async () =>
    (await select<{ id: string }>(`SELECT id FROM "Account" WHERE username = 'demo'`))[0]?.id
  for (const { at, actor, records } of imports) {
    const options =
      actor === 'owner' ? ({ actor: `console:${await ownerOf()}`, manual: true } as const) : { actor }
    await importRecords({ source: linesOf(records), now: () => new Date(at), ...options })
  }
}

/** Loads the demo workspace again or for the first time. Its key, codes and password differ between deployments. */
export async function loadDemo(database: DemoDatabase, { now }: { now: () => Date }): Promise<Demo> {
  const { vault } = database
  const apiKey = (await findKey(database)) ?? generateApiKey()
  const loaded = demo(vault, apiKey)
  const knownEnd = await findEnd(database)
  const end = knownEnd ?? Math.floor(now().getTime() / 1000) * 1000
  const codes = Array.from({ length: saleCount }, (_, index) => code(vault, index))
  const { old, successor } = pluginKeys(vault, end)
  const base = [
    account(loaded.password),
    workspace,
    ...demoItems,
    { type: 'api_key', workspace: 'demo', name: 'demo', key: apiKey },
    old,
  ]
  if (knownEnd === undefined) {
    const rotation = { at: end - 2 * dayMs, actor: 'owner', records: [successor] } as const
    await importHistory(database, demoImports({ base, codes, end, others: [rotation] }))
    await addValidations(database, codes, end)
  } else {
    const records = [...base, successor, ...codes.map((text, index) => demoSale(index, text, end))]
    await database.importRecords({ source: linesOf(records), now })
  }
  return loaded
}
