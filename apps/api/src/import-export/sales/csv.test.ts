import { expect, test } from 'vitest'
import { readRows } from './csv.ts'
import { openTable } from './table.ts'

const size = 512 * 1024

async function* inPieces(text: string, piece: number) {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += piece) yield bytes.subarray(from, from + piece)
}

/** The least processor time of reading a text that arrives in pieces, in milliseconds. */
async function costOf(text: string, piece: number) {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < 3; run++) {
    const before = process.cpuUsage()
    for await (const rows of readRows(inPieces(text, piece))) void rows
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

test.each([
  ['one line', 'x'.repeat(size)],
  ['one cell', `code,date\n${'x'.repeat(size)}`],
  ['one quoted cell', `code,date\n"${'x'.repeat(size)}"`],
  ['one row of many cells', `code,date\n${'x,'.repeat(size / 2)}`],
])('%s costs little more where it arrives in small pieces', async (_, text) => {
  const whole = await costOf(text, size)
  expect(await costOf(text, 512)).toBeLessThan(10 * whole + 10)
})

test('rows whose quotes are never closed cost little more than others, and each is a problem', async () => {
  const count = 8192
  const closed = await costOf('"a","b"\n'.repeat(count), size)
  const open = '"a","b\n'.repeat(count)
  expect(await costOf(open, size)).toBeLessThan(50 * closed + 100)
  let problems = 0
  for await (const rows of readRows(inPieces(open, size)))
    problems += rows.filter(({ isOpen }) => isOpen).length
  expect(problems).toBe(count)
})

test('no more columns are read than any export has', async () => {
  expect((await openTable(inPieces('x,'.repeat(50_000), size))).names).toHaveLength(1000)
})
