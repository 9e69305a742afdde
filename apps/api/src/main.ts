import { writeSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { usableCores } from './cluster/usable-cores.ts'
import { describeCrash, run } from './commands/program.ts'
import { createLogStream } from './observability/log-stream.ts'

/** In bytes: log lines that no reader takes must not fill the memory. */
const maxQueuedLogs = 16 * 1024 * 1024

const logStream = createLogStream({ fd: 1, maxQueued: maxQueuedLogs })

/** Ends the process without waiting for a reader of the log. */
function exit(code?: number) {
  logStream.close()
  process.exit(code)
}

// Node.js would print the whole error, and its message may repeat what a client sent.
process.on('uncaughtException', (error) => {
  logStream.flushSync()
  try {
    writeSync(2, describeCrash(error))
  } catch {
    // Standard error is closed.
  }
  exit(1)
})

// Node.js would open its debugger, through which every user of the machine could read the secret.
process.on('SIGUSR1', () => {})

// A reader may close its end. The service goes on; a command whose result has no reader ends by itself.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {})

// Only this file uses `process`: everything else gets what it needs as arguments.
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  cores: usableCores(availableParallelism(), process.constrainedMemory()),
  packageRoot: fileURLToPath(new URL('..', import.meta.url)),
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
