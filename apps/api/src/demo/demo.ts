import Database from 'better-sqlite3'
import { generateApiKey } from '../crypto/api-key.ts'
import type { KeyVault } from '../crypto/key-vault.ts'
import { importRecords } from '../import/import.ts'
import { demoItems } from './catalogue.ts'

export interface Demo {
  apiKey: string
  /** A code that validates. */
  purchaseCode: string
  /** The item that the code was bought for. */
  itemId: number
  /** The password of the account `demo`. */
  password: string
}

interface DemoOptions {
  databaseFile: string
  vault: KeyVault
  now: () => Date
}

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

const purchaseCount = 16
const day = 24 * 60 * 60 * 1000

/** Every item twice; refunds and revocations among them, and the first always one that validates. */
function purchase(index: number, code: string) {
  const item = demoItems[index % demoItems.length]!
  const license = index % 3 === 2 ? 'Extended' : 'Regular'
  const bought = Date.parse(item.published_at) + (index + 1) * 9 * day
  return {
    type: 'purchase',
    item: item.id,
    purchase_code: code,
    license_type: license,
    price: license === 'Extended' ? item.price.extended : item.price.regular,
    currency: item.currency,
    supported_until: item.support && index !== 5 ? new Date(bought + 182 * day).toISOString() : null,
    downloaded: index % 4 !== 3,
    date: new Date(bought).toISOString(),
    state: index % 7 === 6 ? 'refunded' : index % 10 === 9 ? 'revoked' : 'active',
  }
}

function read<T>(databaseFile: string, query: (db: Database.Database) => T): T {
  const db = new Database(databaseFile, { fileMustExist: true, readonly: true, timeout: 5000 })
  try {
    return query(db)
  } finally {
    db.close()
  }
}

/** Asked without Prisma: a service that starts should not wait for it to load. */
export const holdsAccounts = (databaseFile: string) =>
  read(databaseFile, (db) => db.prepare('SELECT 1 FROM Account LIMIT 1').get()) !== undefined

/** The key of a demo that was loaded before and is still good: loading it again shall change nothing. */
function findKey({ databaseFile, vault }: Pick<DemoOptions, 'databaseFile' | 'vault'>): string | undefined {
  const row = read(databaseFile, (db) =>
    db
      .prepare<[], { keyCipher: Buffer; keyHash: string }>(
        `SELECT k.keyCipher, k.keyHash FROM ApiKey k JOIN Workspace w ON w.id = k.workspaceId
          WHERE w.slug = 'demo' AND k.name = 'demo' AND k.revokedAt IS NULL AND k.expiresAt IS NULL
            AND NOT k.publishable ORDER BY k.createdAt, k.id`,
      )
      .get(),
  )
  return row && vault.open(row.keyCipher, row.keyHash)
}

const inGroups = (text: string) => text.match(/.{5}/g)?.slice(0, 5).join('-') ?? text

// From the deployment's secret. No key holds a space, so that this is never the hash of one.
const secret = (vault: KeyVault, purpose: string) =>
  vault.hash(`saleproof demo ${purpose}`).replace(/[^0-9A-Za-z]/g, '')

const code = (vault: KeyVault, index: number) => inGroups(secret(vault, `purchase ${index}`).toUpperCase())

const demo = (vault: KeyVault, apiKey: string): Demo => ({
  apiKey,
  purchaseCode: code(vault, 0),
  itemId: demoItems[0]!.id,
  password: secret(vault, 'password').slice(0, 20),
})

/** The demo workspace that was loaded before, as long as its key and its code are good. Writes nothing. */
export function findDemo({
  databaseFile,
  vault,
}: Pick<DemoOptions, 'databaseFile' | 'vault'>): Demo | undefined {
  const apiKey = findKey({ databaseFile, vault })
  if (apiKey === undefined) return undefined
  const found = demo(vault, apiKey)
  const validates = read(databaseFile, (db) =>
    db
      .prepare(
        `SELECT 1 FROM Purchase p JOIN Workspace w ON w.id = p.workspaceId
          WHERE w.slug = 'demo' AND p.code = ? AND p.state = 'active'`,
      )
      .get(found.purchaseCode),
  )
  return validates ? found : undefined
}

/** Loads the demo workspace, or finds the one that was loaded. Its key, codes and password are others in each deployment. */
export async function loadDemo(options: DemoOptions): Promise<Demo> {
  const { databaseFile, vault, now } = options
  const apiKey = findKey(options) ?? generateApiKey()
  const loaded = demo(vault, apiKey)
  const codes = Array.from({ length: purchaseCount }, (_, index) => code(vault, index))
  const records = [
    account(loaded.password),
    workspace,
    ...demoItems,
    { type: 'api_key', workspace: 'demo', name: 'demo', key: apiKey },
    ...codes.map((text, index) => purchase(index, text)),
  ]
  async function* source() {
    yield Buffer.from(records.map((record) => JSON.stringify(record)).join('\n'))
  }
  await importRecords({ source: source(), databaseFile, vault, now })
  return loaded
}
