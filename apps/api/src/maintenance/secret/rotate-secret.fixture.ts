import { migrations } from '../../db/sqlite/testing.ts'
import { rotateSecret } from './rotate-secret.ts'

// Rotates the secret of a database, and is killed after a step.

const [databaseFile = '', last = '', given, next] = process.argv.slice(2)
rotateSecret({
  ...{ databaseFile, given, next, migrations, clock: () => new Date() },
  onStep(step) {
    if (step === last) process.kill(process.pid, 'SIGKILL')
  },
})
