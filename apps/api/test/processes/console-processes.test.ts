import { operations } from '@saleproof/schema'
import { expect, onTestFinished, test } from 'vitest'
import { connectToEach } from '../support/client.ts'
import { createBrowser, password } from '../support/console-client.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { spawnSaleproof, spawnServe } from '../support/process.ts'
import { codes, records, secretKey } from '../support/records.ts'

const withPasswords = records.map((record) =>
  (record as { type: string }).type === 'account' ? { ...record, password } : record,
)

/** Two processes, with an account that has something to sell. */
async function serveTwice(env: Record<string, string>) {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const loaded = await spawnSaleproof(['import', '-'], { cwd: folder, input: ndjson(withPasswords) })
  expect(loaded.code, loaded.stderr).toBe(0)
  return { folder, ...(await spawnServe({ cwd: folder, env: { WEB_CONCURRENCY: '2', ...env } })) }
}

test('a session is one in every process, and passwords that are tried are counted over all', async () => {
  const { url, signal, done } = await serveTwice({ SALEPROOF_SIGN_IN_LIMIT: '5/600' })
  const both = (await connectToEach(url)).flat()
  const ada = createBrowser(url)
  await ada.signIn('ada')
  for (const via of both) expect((await ada.call('getSession', {}, undefined, { via })).status).toBe(200)
  const tried = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      createBrowser(url).call('signIn', {}, { login: 'bob', password: 'wrong' }, { via: both[index % 2]! }),
    ),
  )
  expect(tried.map(({ status }) => status).sort()).toEqual([...Array(5).fill(401), ...Array(7).fill(429)])
  await ada.ask('signOut', {})
  for (const via of both) {
    const after = await ada.call('getSession', {}, undefined, { cookie: ada.cookie(), via })
    expect(after.status).toBe(401)
  }
  signal('SIGTERM')
  expect((await done).code).toBe(0)
})

test('the history of a purchase has the validations of every process, and keeps them over a restart', async () => {
  const { folder, url, signal, done } = await serveTwice({ SALEPROOF_SIGN_IN_LIMIT: 'off' })
  const [[first] = [], [second] = []] = await connectToEach(url)
  const validation = {
    method: 'POST',
    path: operations.validatePurchase.path,
    headers: { 'x-api-key': secretKey, 'content-type': 'application/json' },
    body: JSON.stringify({ purchase_code: codes.active }),
  }
  const countAt = async (address: string) => {
    const ada = createBrowser(address)
    await ada.signIn('ada')
    const input = { purchase_code: codes.active }
    return async () =>
      (await ada.ask('getPurchase', { slug: 'ada-studio' }, input)).history.validations?.count
  }
  const count = await countAt(url)
  const validate = [first!, first!, second!]
  for (const via of validate) expect((await via(validation)).status).toBe(200)
  // Each process writes what it has counted every few seconds.
  await expect.poll(count).toBe(3)
  for (const via of validate) expect((await via(validation)).status).toBe(200)
  signal('SIGTERM')
  expect((await done).code).toBe(0)
  const again = await spawnServe({ cwd: folder, env: { WEB_CONCURRENCY: '1' } })
  expect(await (await countAt(again.url))()).toBe(6)
  again.signal('SIGTERM')
  expect((await again.done).code).toBe(0)
})
