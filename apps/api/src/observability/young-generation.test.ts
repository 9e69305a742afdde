import { execFileSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const file = pathToFileURL(`${import.meta.dirname}/young-generation.ts`)

/** Megabytes of the young generation of a process after work of which much survives for a while. */
function megabytesAfterWork(before: string): number {
  const script = `
    import v8 from 'node:v8'
    import { setTimeout as pause } from 'node:timers/promises'
    ${before}
    let kept = []
    for (let turn = 0; turn < 2000; turn++) {
      for (let count = 0; count < 500; count++) kept.push({ text: 'kept ' + count })
      if (kept.length > 50_000) kept = []
      await pause(1)
    }
    const { space_size } = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    console.log(space_size / 2 ** 20)`
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }))
}

test('the young generation stays small', () => {
  expect(megabytesAfterWork('')).toBeGreaterThan(30)
  const cap = `import { capYoungGeneration } from '${file}'; capYoungGeneration()`
  expect(megabytesAfterWork(cap)).toBeLessThanOrEqual(16)
})
