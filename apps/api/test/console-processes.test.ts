import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type Answer, send } from './client.ts'
import { saleproof, serve } from './command.ts'
import { createBrowser, password } from './console-client.ts'
import { beginWriting } from './database.ts'
import { ndjson, temporaryFolder } from './harness.ts'
import { records } from './records.ts'

const withPasswords = records.map((record) =>
  (record as { type: string }).type === 'account' ? { ...record, password } : record,
)

/** Request ids begin with a text of their process. */
const processOf = ({ headers }: { headers: Record<string, string> }) =>
  headers['x-request-id']!.split('-')[0]!

/** Two processes, with an account that has something to sell. */
async function serveTwice(env: Record<string, string>) {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const loaded = await saleproof(['import', '-'], { cwd: folder, input: ndjson(withPasswords) })
  expect(loaded.code, loaded.stderr).toBe(0)
  return { folder, ...(await serve({ cwd: folder, env: { WEB_CONCURRENCY: '2', ...env } })) }
}

test('a session is one in every process, and passwords that are tried are counted over all', async () => {
  const { url, signal, done } = await serveTwice({ SALEPROOF_SIGN_IN_LIMIT: '5/600' })
  const answering = new Set<string>()
  for (let attempt = 0; attempt < 200 && answering.size < 2; attempt++) {
    answering.add(processOf(await send(url, { path: '/healthz' })))
    await sleep(50)
  }
  const ada = createBrowser(url)
  await ada.signIn('ada')
  const knowing = new Set<string>()
  // Now and then one process takes a whole burst.
  for (let attempt = 0; attempt < 20 && knowing.size < 2; attempt++) {
    const known = await Promise.all(Array.from({ length: 40 }, () => ada.call('getSession', {})))
    expect(new Set(known.map(({ status }) => status))).toEqual(new Set([200]))
    for (const answer of known) knowing.add(processOf(answer))
  }
  expect(knowing.size).toBe(2)
  const tried = await Promise.all(
    Array.from({ length: 12 }, () =>
      createBrowser(url).call('signIn', {}, { login: 'bob', password: 'wrong' }),
    ),
  )
  expect(tried.map(({ status }) => status).sort()).toEqual([...Array(5).fill(401), ...Array(7).fill(429)])
  await ada.ask('signOut', {})
  const after = await Promise.all(
    Array.from({ length: 20 }, () => ada.call('getSession', {}, undefined, { cookie: ada.cookie() })),
  )
  expect(new Set(after.map(({ status }) => status))).toEqual(new Set([401]))
  signal('SIGTERM')
  expect((await done).code).toBe(0)
}, 120_000)

test('an owner has two exports at a time, over all processes', async () => {
  const { folder, url, signal, done } = await serveTwice({ SALEPROOF_SIGN_IN_LIMIT: 'off' })
  const ada = createBrowser(url)
  await ada.signIn('ada')
  const refusing = new Set<string>()
  // Until both processes have refused some.
  for (let attempt = 0; attempt < 20 && refusing.size < 2; attempt++) {
    // An export begins with a line in the audit log, which has to wait for whoever else writes.
    const stopWriting = await beginWriting({ folder })
    const refused: Answer[] = []
    const asked = Array.from({ length: 10 }, async () => {
      const answer = await ada.call('exportPurchases', { slug: 'ada-studio' }, { format: 'csv' })
      if (answer.status === 429) refused.push(answer)
      return answer.status
    })
    await expect.poll(() => refused.length, { timeout: 10_000 }).toBe(8)
    await stopWriting()
    expect((await Promise.all(asked)).sort()).toEqual([200, 200, ...Array(8).fill(429)])
    for (const answer of refused) refusing.add(processOf(answer))
  }
  expect(refusing.size).toBe(2)
  const statusOfAnother = async () =>
    (await ada.call('exportPurchases', { slug: 'ada-studio' }, { format: 'csv' })).status
  await expect.poll(statusOfAnother).toBe(200)
  signal('SIGTERM')
  expect((await done).code).toBe(0)
}, 120_000)
