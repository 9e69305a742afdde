import { execFileSync } from 'node:child_process'
import { packageRoot } from './folders.ts'

/** Builds what is not built yet of the sources as they are; Turbo has done so for a run of its own. */
export default function build() {
  if (process.env.TURBO_HASH !== undefined) return
  const turbo = ['run', 'build', '--filter=@saleproof/api', '--output-logs=errors-only']
  execFileSync('turbo', turbo, {
    cwd: packageRoot,
    env: { ...process.env, DO_NOT_TRACK: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
