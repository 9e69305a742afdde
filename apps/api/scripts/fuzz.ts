import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

// `pnpm fuzz [--seconds 30] [--seed 1]`: the properties of test/fuzz for as long as that, each.

const options = { seconds: { type: 'string', default: '30' }, seed: { type: 'string' } } as const
const { seconds, seed = process.env.FAST_CHECK_SEED } = parseArgs({ options }).values
const args = ['run', '--project=processes', '--reporter=default', 'test/fuzz']
const { status } = spawnSync('node_modules/.bin/vitest', args, {
  cwd: join(import.meta.dirname, '..'),
  env: { ...process.env, FUZZ_SECONDS: seconds, ...(seed && { FAST_CHECK_SEED: seed }) },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
