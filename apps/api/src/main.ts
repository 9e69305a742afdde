import { writeSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { describeCrash, run } from './cli/program.ts'
import { createLineBuffer, type LineDestination } from './telemetry/line-buffer.ts'

/** Takes bytes, which its types do not know: lines that were already gathered need not be measured and encoded once more. */
const logDestination = () => pino.destination({ fd: 1, sync: false, contentMode: 'buffer' })

/** What would be lost in a crash. */
const flushNow: (() => void)[] = []

function logStream() {
  const destination = logDestination()
  const stream = createLineBuffer(destination as unknown as LineDestination)
  flushNow.push(() => {
    stream.flush()
    destination.flushSync()
  })
  return stream
}

// Node would print the whole error: what it says may repeat what was sent.
process.on('uncaughtException', (error) => {
  try {
    for (const flush of flushNow) flush()
  } finally {
    writeSync(2, describeCrash(error))
    process.exit(1)
  }
})

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
  logStream,
  onSignal: (listener) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, listener)
  },
  exitSoon: () => void setTimeout(() => process.exit(), 250).unref(),
})
