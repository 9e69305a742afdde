import { writeSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { describeCrash, run } from './commands/program.ts'
import { createLineBuffer } from './observability/line-buffer.ts'
import { createLogDestination } from './observability/log-destination.ts'
import { packageRoot } from './package-root.ts'

/** Lines that nobody takes are given up from here on: the service goes on, within its memory. */
const mostWaiting = 16 * 1024 * 1024

const logs: { flush: () => void; destination: ReturnType<typeof createLogDestination> }[] = []

function logStream() {
  const destination = createLogDestination({ fd: 1, mostWaiting })
  const stream = createLineBuffer(destination)
  logs.push({ flush: stream.flush, destination })
  return stream
}

/** Ends the process. What nobody reads is not waited for. */
function exit(code?: number) {
  for (const { destination } of logs) destination.close()
  process.exit(code)
}

// Node would print the whole error: what it says may repeat what was sent.
process.on('uncaughtException', (error) => {
  for (const { flush, destination } of logs) {
    flush()
    destination.flushSync()
  }
  try {
    writeSync(2, describeCrash(error))
  } catch {
    // Nobody is there to be told.
  }
  exit(1)
})

// Node would open its debugger, to which every user of the machine may connect and read the secret.
process.on('SIGUSR1', () => {})

// Whoever listens may go. What a process says then is lost, and nothing else; a command whose result nobody takes ends by itself.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {})

// The one file that touches `process`: everything else gets what it needs as arguments.
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  cores: availableParallelism(),
  packageRoot: fileURLToPath(packageRoot),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  clock: () => new Date(),
  now: Date.now,
  logStream,
  onSignal: (listener) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, listener)
  },
  exitWithin: (milliseconds) => void setTimeout(exit, milliseconds).unref(),
})
