import { join } from 'node:path'
import { startFaultServer } from '@saleproof/faults'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findPhp, installWasmPhp, type Php } from './php.ts'

// The vectors that the TypeScript client runs, too: on the PHP of the system, and on the oldest that works.

const program = join(import.meta.dirname, 'programs/faults.php')
let server: Awaited<ReturnType<typeof startFaultServer>>

beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.close())

interface Report {
  run: number
  'left out': string[]
  problems: Record<string, string[]> | []
}

/** Several processes at once, because most cases wait. */
async function runAll(php: Php): Promise<Report[]> {
  const parts = 6
  return Promise.all(
    Array.from({ length: parts }, async (_, part) => {
      const { stdout, stderr } = await php([program, server.url, String(part), String(parts)])
      expect(stderr).toBe('')
      return JSON.parse(stdout) as Report
    }),
  )
}

// This client validates alone, never asks for a shape, takes a key as text and always has a store.
const foreign = [
  '10,000 items',
  '2,000 items',
  'a key function that fails later',
  'a key function that returns no key',
  'a key function that returns nothing',
  'a key function that throws',
  'a list of items cut off',
  'an extended sale where the base shape was asked for',
  'an extended sale where the base shape was asked for, behind a gate',
  'another item than was asked for',
  'another shape sees nothing of the first',
  'the item that was asked for',
  'without a store a restart ends the grace',
]

describe.each([
  ["Debian's PHP", () => findPhp()],
  ['PHP 7.4, without intl', () => installWasmPhp('7.4')],
])('%s', (_, find) => {
  let php: Php
  beforeAll(() => {
    php = find()
  })

  it('gives no wrong outcome', async () => {
    const reports = await runAll(php)
    const problems: Record<string, string[]> = Object.assign({}, ...reports.map(({ problems }) => problems))
    expect(problems).toEqual({})
    const leftOut = reports.flatMap((report) => report['left out'])
    expect(leftOut.sort()).toEqual(foreign)
    expect(reports.reduce((sum, { run }) => sum + run, 0)).toBeGreaterThanOrEqual(250)
  }, 300_000)
})
