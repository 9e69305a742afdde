import { writeSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { describeCrash, run } from './cli/program.ts'
import { createLineBuffer, type LineDestination } from './telemetry/line-buffer.ts'

/** Lines that nobody takes are given up from here on: the service goes on, within its memory. */
const mostWaiting = 16 * 1024 * 1024

/** Takes bytes, which its types do not know: lines that were already gathered need not be measured and encoded once more. */
const logDestination = () =>
  pino.destination({
    ...{ fd: 1, sync: false, contentMode: 'buffer', maxLength: mostWaiting },
    retryEAGAIN: () => !ending,
  })

let ending = false
const logs: { flush: () => void; destination: ReturnType<typeof logDestination> }[] = []

function logStream() {
  const destination = logDestination()
  const stream = createLineBuffer(destination as unknown as LineDestination)
  logs.push({ flush: stream.flush, destination })
  return stream
}

/** Ends the process. What nobody reads is not waited for: its destination would try for ever, also while the process exits. */
function exit(code?: number) {
  for (const { destination } of logs) destination.destroy()
  process.exit(code)
}

// Node would print the whole error: what it says may repeat what was sent.
process.on('uncaughtException', (error) => {
  ending = true
  try {
    for (const { flush, destination } of logs) {
      flush()
      destination.flushSync()
    }
  } finally {
    writeSync(2, describeCrash(error))
    exit(1)
  }
})

// Whoever listens may go. What a process says then is lost, and nothing else; a command whose result nobody takes ends by itself.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {})

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
  exitWithin: (milliseconds) => void setTimeout(exit, milliseconds).unref(),
})
