import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { run } from './cli/program.ts'
import { createLineBuffer, type LineDestination } from './telemetry/line-buffer.ts'

/** Takes bytes, which its types do not know: lines that were already gathered need not be measured and encoded once more. */
const logDestination = () =>
  pino.destination({ fd: 1, sync: false, contentMode: 'buffer' }) as unknown as LineDestination

// The one file that touches `process`: everything else gets what it needs as arguments.
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  cores: availableParallelism(),
  packageRoot: fileURLToPath(new URL('..', import.meta.url)),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  clock: () => new Date(),
  now: Date.now,
  logStream: () => createLineBuffer(logDestination()),
  onSignal: (listener) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, listener)
  },
  exitSoon: () => void setTimeout(() => process.exit(), 250).unref(),
})
