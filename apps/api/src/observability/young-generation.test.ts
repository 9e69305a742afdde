import { execFile } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const file = pathToFileURL(`${import.meta.dirname}/young-generation.ts`)

/** Megabytes of the young generation of a process after work of which much survives for a while. */
async function megabytesAfterWork(before: string): Promise<number> {
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
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  return Number(stdout)
}

test('the young generation stays small', async () => {
  const cap = `import { capYoungGeneration } from '${file}'; capYoungGeneration()`
  const [free, capped] = await Promise.all([megabytesAfterWork(''), megabytesAfterWork(cap)])
  expect(free).toBeGreaterThan(30)
  expect(capped).toBeLessThanOrEqual(16)
})
