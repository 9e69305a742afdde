import { rotateSecret } from '../../src/maintenance/secret/rotate-secret.ts'
import { migrations } from '../support/folders.ts'

// Rotates the secret of a database, and is killed after a step.

const [databaseFile = '', last = '', given, next] = process.argv.slice(2)
await rotateSecret({
  databaseFile,
  given,
  next,
  migrations,
  clock: () => new Date(),
  onStep(step) {
    if (step === last) process.kill(process.pid, 'SIGKILL')
  },
})
