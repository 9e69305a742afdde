import { postgresMigrationsFolder } from '../../../db/postgres/migrations-folder.ts'
import { migrations } from '../../../db/sqlite/testing.ts'
import { rotateSecretOn } from './rotate-secret.ts'

// Rotates the secret of a PostgreSQL database, and is killed after a step.

const [databaseUrl = '', last = '', given = '', next = ''] = process.argv.slice(2)
await rotateSecretOn({
  ...{ databaseUrl, given, next, migrations: postgresMigrationsFolder(migrations), clock: () => new Date() },
  onStep(step) {
    if (step === last) process.kill(process.pid, 'SIGKILL')
  },
})
