import { copyFileSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '@saleproof/schema'
import { expect, onTestFinished, test } from 'vitest'
import { keepConnections } from '../support/client.ts'
import { saleproof, serve } from '../support/command.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { codes, records, secretKey } from '../support/records.ts'

/** A command that has to be done. */
async function done(cwd: string, args: readonly string[], input?: string) {
  const result = await saleproof(args, { cwd, input })
  expect([result.code, result.stdout], result.stderr).toEqual([0, ''])
  return result
}

const sale = (purchase_code: string) => ({ ...(records.at(-1) as object), item: 101, purchase_code })

function validation(purchase_code: string) {
  const body = JSON.stringify({ purchase_code })
  const content = { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(body)}` }
  const headers = { 'x-api-key': secretKey, ...content }
  return { method: 'POST', path: operations.validatePurchase.path, headers, body }
}

/** The answers to many codes, a few at a time. */
async function validateAll(url: string, list: readonly string[]) {
  const { askAll, close } = keepConnections(url, 16)
  const answers = await askAll(list.map(validation))
  close()
  return answers.map(({ status, bytes }) => `${status} ${bytes}`)
}

const token = 'a-token-of-the-restore-drill'
const unlimited = { ADMIN_TOKEN: token, SALEPROOF_RATE_LIMIT: 'off', SALEPROOF_FAILURE_LIMIT: 'off' }

/** Records one sale after the other until it is stopped. */
function sellWithoutPause(url: string) {
  const count = { sent: 0, confirmed: 0 }
  let running = true
  const stopped = (async () => {
    while (running) {
      const body = ndjson([sale(`sold-meanwhile-${++count.sent}`)])
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(`${url}/admin/import`, { method: 'POST', headers, body })
      if (answer.status === 200) count.confirmed++
      else throw new Error(`${answer.status} ${await answer.text()}`)
    }
  })()
  return {
    count,
    stop() {
      running = false
      return stopped
    },
  }
}

test('the drill: backed up under load and restored elsewhere, 10,000 validations are answered as before', async () => {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const sold = Array.from({ length: 10_000 }, (_, index) => `sold-before-${index}`)
  await done(folder, ['import', '-'], ndjson([...records, ...sold.map(sale)]))
  const service = await serve({ cwd: folder, env: unlimited })
  const seller = sellWithoutPause(service.url)
  while (seller.count.confirmed < 5) await validateAll(service.url, sold.slice(0, 50))
  const confirmedBefore = seller.count.confirmed
  const { stderr } = await done(folder, ['backup', 'copy.backup'])
  const sentBefore = seller.count.sent
  await seller.stop()
  expect(stderr).toContain('saleproof.db.secret, is not in it')
  expect(statSync(join(folder, 'copy.backup')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder).sort()).toEqual(['copy.backup', 'data'])

  // Another machine has the secret, and nothing else.
  const elsewhere = join(folder, 'elsewhere')
  mkdirSync(join(elsewhere, 'data'), { recursive: true })
  const secret = 'data/saleproof.db.secret'
  copyFileSync(join(folder, secret), join(elsewhere, secret))
  await done(elsewhere, ['restore', join(folder, 'copy.backup')])
  const restored = await serve({ cwd: elsewhere, env: unlimited })
  const asked = [...sold, ...Object.values(codes)]
  expect(await validateAll(restored.url, asked)).toEqual(await validateAll(service.url, asked))
  // One state and no other: every sale up to some time while the copy was made, and none after.
  const meanwhile = Array.from({ length: seller.count.sent }, (_, index) => `sold-meanwhile-${index + 1}`)
  const found = (await validateAll(restored.url, meanwhile)).map((answer) => answer.startsWith('200 '))
  const kept = found.lastIndexOf(true) + 1
  expect(found.slice(0, kept)).not.toContain(false)
  expect(kept).toBeGreaterThanOrEqual(confirmedBefore)
  expect(kept).toBeLessThanOrEqual(sentBefore)
  for (const each of [service, restored]) expect(await each.stop()).toBe(0)
})
