import { Readable } from 'node:stream'
import { createRecorder } from '../../src/domain/audit-log.ts'
import { createItemRemoval } from '../../src/domain/item-removal.ts'
import { createItemWithdrawal } from '../../src/domain/item-withdrawal.ts'
import { createKeyManagement } from '../../src/domain/key-management.ts'
import type { OpenDatabase } from '../../src/open-database.ts'
import { UserError } from '../../src/user-error.ts'
import { createRandom } from '../support/random.ts'
import { account, codes, item, itemIds, itemOf, key, keys, otherItemId, purchase, workspace } from './shop.ts'

const dates = ['2023-01-01T00:00:00Z', '2024-04-27T12:00:00Z', '2025-06-01T00:00:00Z']

/** What an owner does, in random order, through the functions of the service. Each write is one commit. */
export function createWrites(opened: OpenDatabase, seed: number) {
  const { database, usage, vault } = opened
  const { prisma, transact } = database
  const { below, pick, some } = createRandom(seed)
  const clock = () => new Date()
  const record = createRecorder({ clock, actor: 'cli' })
  const keyManagement = createKeyManagement({ prisma, transact, vault, clock, record })
  const removeItem = createItemRemoval({ transact, usage, now: Date.now, record })
  const setWithdrawn = createItemWithdrawal({ transact, clock, record })
  let count = 0

  const load = (records: readonly object[]) =>
    opened.importRecords({
      source: Readable.from([Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''))]),
      now: clock,
    })

  const storedItems = async () => {
    const rows = await prisma.item.findMany({
      where: { workspace: { slug: 'studio' } },
      select: { id: true },
    })
    return rows.map(({ id }) => Number(id))
  }

  async function withdraw(id: number, isWithdrawn: boolean) {
    const studio = await prisma.workspace.findUnique({ where: { slug: 'studio' }, select: { id: true } })
    if (studio) await setWithdrawn(studio.id, BigInt(id), isWithdrawn)
  }

  const changedItem = (id: number, slug?: string) => ({
    ...item(id, slug),
    name: `Item ${id}, version ${count}`,
    price: { regular: below(1000), extended: below(1000) },
    support: pick([true, false]),
    published_at: pick(dates),
  })

  const changedPurchase = (code: string) => ({
    ...purchase(code),
    price: below(100),
    downloaded: pick([true, false]),
    state: pick(['active', 'active', 'refunded', 'revoked']),
    supported_until: pick([null, ...dates]),
  })

  /** Purchases of items that are there. */
  async function sales(wanted: readonly string[]) {
    const stored = await storedItems()
    return wanted.filter((code) => stored.includes(itemOf(code))).map(changedPurchase)
  }

  async function revoke() {
    const text = pick(Object.values(keys).flat())
    const row = await prisma.apiKey.findUnique({ where: { keyHash: vault.hash(text) }, select: { id: true } })
    // Never all of them: a revoked key answers the same for ever.
    if (row && count % 3 === 0) await keyManagement.revoke(row.id)
  }

  async function bind() {
    const stored = await storedItems()
    const texts = keys.bound.slice(0, 2)
    await load([{ ...key('bound', pick(texts)), items: some(stored) }])
  }

  const kinds = Object.keys(keys) as (keyof typeof keys)[]
  const writes: Readonly<Record<string, () => Promise<unknown>>> = {
    changeItem: () => load([changedItem(pick(itemIds))]),
    changeOtherItem: () => load([changedItem(otherItemId, 'other')]),
    changeManyItems: () => load(itemIds.map((id) => changedItem(id))),
    removeItem: () => removeItem(BigInt(pick(itemIds)), { withPurchases: true }),
    withdrawItem: () => withdraw(pick(itemIds), true),
    restoreItem: () => withdraw(pick(itemIds), false),
    changePurchase: async () => load(await sales([pick(codes)])),
    changeManyPurchases: async () => load(await sales(some(codes))),
    changeAccount: () =>
      load([{ ...account, balance: count, profile: { ...account.profile, heading: `${count}` } }]),
    changeWorkspace: () =>
      load([
        { ...workspace('studio'), shape: pick([null, 'base', 'extended']), locale: pick([null, 'en', 'pt']) },
      ]),
    makeKey: () => {
      const kind = pick(kinds)
      return load([key(kind, pick(keys[kind]))])
    },
    expireKey: () => {
      const kind = pick(kinds)
      const expires_at = pick(['2001-01-01T00:00:00Z', null, '2999-01-01T00:00:00Z', null])
      return load([{ ...key(kind, pick(keys[kind])), expires_at }])
    },
    revoke,
    bind,
    changeEverything: async () =>
      load([...(await sales(codes)), changedItem(1), { ...account, balance: count }]),
  }
  const names = Object.keys(writes)

  /** One more write, of those whose name a pattern finds; gives its name. */
  return async function write(pattern = ''): Promise<string> {
    count++
    const name = pick(names.filter((each) => new RegExp(pattern).test(each)))
    try {
      await writes[name]!()
    } catch (error) {
      if (!(error instanceof UserError)) throw error
    }
    return name
  }
}
