import { expect, test } from 'vitest'
import { pruneAudit } from '../../src/audit/retention.ts'
import { openDatabase } from '../../src/open-database.ts'
import { migrations } from '../support/folders.ts'
import { ndjson } from '../support/harness.ts'
import { records } from '../support/records.ts'
import { emptyPlaces, secret as first } from './deployments.ts'

const second = 'the second secret of the operator, long enough'
const dayMs = 86_400_000

test('a log that retention has shortened goes to PostgreSQL and back, into a backup and under another secret', async () => {
  const { folder, url, fileUrl, done, run } = await emptyPlaces()
  const restored = await emptyPlaces()
  let days = 0
  /** Removes what is there, and returns the number of the last entry that is gone. */
  async function prune(databaseUrl: string, secret = first) {
    const database = await openDatabase({
      databaseUrl,
      secret,
      cwd: folder,
      migrations,
      busyTimeoutMs: 5000,
      clock: () => new Date(),
      migrate: 'when new',
    })
    days += 10
    const removed = await pruneAudit(database, 1, new Date(Date.now() + days * dayMs)).finally(database.close)
    expect(removed).toBeGreaterThan(0)
  }
  const verify = (databaseUrl: string, env = {}) =>
    done(['audit', 'verify'], { DATABASE_URL: databaseUrl, ...env })
  const from = async (databaseUrl: string, env = {}) =>
    Number(/entries from (\d+) on/.exec((await verify(databaseUrl, env)).stderr)?.[1])

  await done(['import', '-'], { DATABASE_URL: fileUrl() }, ndjson(records))
  const noted = (await verify(fileUrl())).stdout.trim()
  await done(['export'], { DATABASE_URL: fileUrl() })
  await prune(fileUrl())
  const inFile = await from(fileUrl())
  expect(inFile).toBe(Number.parseInt(noted, 10) + 2)
  expect(await run(['audit', 'verify', '--noted', noted], { DATABASE_URL: fileUrl() })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^the audit log is intact, but entry \d+ cannot be compared: retention/),
  })
  expect((await done(['doctor'], { DATABASE_URL: fileUrl() })).stderr).not.toContain('broken')

  await done(['backup', `${restored.folder}/copy.backup`], { DATABASE_URL: fileUrl() })
  const backedUp = await from(fileUrl())
  await restored.done(['restore', 'copy.backup'], { DATABASE_URL: fileUrl() })
  const there = await restored.done(['audit', 'verify'], { DATABASE_URL: fileUrl() })
  expect(there.stderr).toContain(`entries from ${backedUp} on`)

  await done(['transfer', '--from', fileUrl(), '--to', url])
  expect(await from(url)).toBe(inFile)
  await done(['export'], { DATABASE_URL: url })
  await prune(url)
  expect(await from(url)).toBeGreaterThan(inFile)
  await done(['secret', 'rotate', '--to', '-'], { DATABASE_URL: url }, second)
  expect(await from(url, { SALEPROOF_SECRET: second })).toBeGreaterThan(inFile)
})
