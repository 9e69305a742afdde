import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { runTarget } from './run-target.ts'

afterEach(() => vi.unstubAllEnvs())

const run = (word: string) => {
  vi.stubEnv('FUZZ_WORD', word)
  return runTarget({
    program: fileURLToPath(new URL('./failing-target.fixture.ts', import.meta.url)),
    cwd: import.meta.dirname,
    seed: 1,
    seconds: 1,
    corpus: 'none',
    instrument: [],
    bugs: [],
    save: false,
    maxFindings: 5,
    hangMs: 3000,
  })
}

test('a process that ends in time has no findings', async () => {
  expect(await run('fine')).toMatchObject({ findings: [] })
})

test('an input that ends the process is a finding', async () => {
  const { findings } = await run('exit')
  expect(findings).toEqual([
    { input: '"exit"', message: expect.stringMatching(/^the process ended \(exit 3\)/) },
  ])
})

test('an input on which the process hangs is a finding', async () => {
  const { findings } = await run('hang')
  expect(findings).toEqual([{ input: '"hang"', message: 'hangs for more than 3000 ms' }])
})
