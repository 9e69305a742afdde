import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DatabaseError } from '../db/errors.ts'
import { usageFilePath } from '../db/location.ts'
import { monitorUsageFile } from './usage-file.ts'

const timesOpen = (file: string) =>
  readdirSync('/proc/self/fd').filter((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`).startsWith(file)
    } catch {
      return false
    }
  }).length

test.runIf(process.platform === 'linux')(
  'a file that is no database stays as it is, and is not kept open',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'saleproof-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const database = join(folder, 'test.db')
    const file = usageFilePath(database)
    writeFileSync(file, 'not a database '.repeat(1000))
    const monitor = monitorUsageFile(database)
    for (let times = 0; times < 5; times++) expect(() => monitor.use()).toThrow(DatabaseError)
    expect(timesOpen(file)).toBe(0)
    rmSync(file)
    expect(await monitor.use().run({ method: 'lastUses', given: [] })).toEqual(new Map())
    monitor.close()
    expect(timesOpen(file)).toBe(0)
  },
)
