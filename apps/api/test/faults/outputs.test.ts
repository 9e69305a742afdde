import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@saleproof/schema'
import { expect, test } from 'vitest'
import { send } from '../support/client.ts'
import { spawnSaleproof, spawnServe } from '../support/process.ts'
import { secretKey } from '../support/records.ts'
import { createHome } from './serving.ts'

/** A disk without room takes the place of standard output. */
const within = ['sh', '-c', 'exec "$@" >/dev/full', 'sh']

const account = { path: operations.getAccount.path, headers: { 'x-api-key': secretKey } }

test.each(['1', '2'])(
  'with %s processes, a disk that is full of logs keeps them neither from answering nor from ending',
  async (count) => {
    const cwd = await createHome()
    const { url, signal, done } = await spawnServe({ cwd, within, env: { WEB_CONCURRENCY: count } })
    for (let round = 0; round < 15; round++) {
      expect((await send(url, account)).status).toBe(200)
      // Lines are buffered before they are written.
      await sleep(50)
    }
    signal('SIGTERM')
    expect((await done).code).toBe(0)
  },
)

test('a result that does not fit on the disk is an error', async () => {
  const cwd = await createHome()
  for (const args of [['export'], ['key', 'list'], ['audit', 'list']]) {
    const { code, stderr } = await spawnSaleproof(args, { cwd, within })
    expect([code, stderr]).toEqual([1, 'the result could not be written (ENOSPC)\n'])
  }
})
