import { operations } from '@saleproof/schema'
import { expect, onTestFinished, test } from 'vitest'
import { send } from '../support/client.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { spawnSaleproof, spawnServe } from '../support/process.ts'
import { records, secretKey } from '../support/records.ts'
import { connectTo, environmentFor, startShop } from './servers.ts'

// What pg_restore leaves, and a standby with an unknown lag: the database as it was at an earlier time, under the same
// identity. A copy that the server makes of it is the same.

const lists = ['', '?shape=extended'].map((shape) => `${operations.listItems.path}${shape}`)
const paths = [...lists, `${operations.getItem.path}?item_id=101`]
const item = (records as readonly { id?: number }[]).find(({ id }) => id === 101)!

async function setup() {
  const home = await temporaryFolder()
  onTestFinished(home.remove)
  const shop = await startShop()
  const admin = await connectTo(shop.url())
  const env = environmentFor(shop.shop)
  async function load(more: readonly object[]) {
    const { code, stderr } = await spawnSaleproof(['import', '-'], {
      cwd: home.folder,
      env,
      input: ndjson(more),
    })
    expect(code, stderr).toBe(0)
  }
  /** Ends all connections to a database, and keeps others out until it has its new name. */
  async function rename(from: string, to: string) {
    await admin.query(`ALTER DATABASE ${from} ALLOW_CONNECTIONS false`)
    await admin.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1', [
      from,
    ])
    await admin.query(`ALTER DATABASE ${from} RENAME TO ${to}`)
    await admin.query(`ALTER DATABASE ${to} ALLOW_CONNECTIONS true`)
  }
  await load(records)
  await admin.query('CREATE DATABASE earlier TEMPLATE shop OWNER shop')
  const server = await spawnServe({ cwd: home.folder, env })
  onTestFinished(async () => {
    server.signal('SIGKILL')
    await server.done
  })
  const get = (path: string, tag?: string) =>
    send(server.url, {
      path,
      headers: { 'x-api-key': secretKey, ...(tag !== undefined && { 'if-none-match': tag }) },
    })
  return { load, rename, get }
}

test('a database restored to an earlier state under a running instance gives no answer of the later state, and no 304 for it', async () => {
  const { load, rename, get } = await setup()
  const [list, ...others] = paths as [string, ...string[]]
  const tagOf = async (path: string) => (await get(path)).headers.etag!
  const tags = async () =>
    new Map(await Promise.all(paths.map(async (path) => [path, await tagOf(path)] as const)))
  const before = await tags()
  await load([{ ...item, name: 'A name that is lost', version: '9.9.9' }])
  const lost = await tags()
  const status = async (path: string) => (await get(path, lost.get(path))).status
  for (const path of paths) expect(await status(path)).toBe(304)

  await rename('shop', 'later')
  await rename('earlier', 'shop')
  const account = async () => (await get(operations.getAccount.path)).status
  await expect.poll(account).toBe(200)
  for (const path of others) {
    expect(await status(path)).toBe(200)
    expect(await tagOf(path)).toBe(before.get(path))
  }

  // As many changes as were lost, and the list that was cached in the later state not asked for meanwhile: what only counts changes would
  // take it for the one of now.
  await load([{ ...item, name: 'A name that is new', version: '9.9.8' }])
  for (const path of paths) {
    expect(await status(path)).toBe(200)
    expect((await get(path)).text).toContain('A name that is new')
  }
  expect(await tagOf(list)).not.toBe(lost.get(list))
})
