import { postgresMigrationsFolder } from '../../src/db/location.ts'
import { rotateSecretOn } from '../../src/maintenance/secret/postgres/rotate-secret.ts'
import { migrations } from '../support/folders.ts'

// Rotates the secret of a PostgreSQL database, and is killed after a step.

const [databaseUrl = '', last = '', given = '', next = ''] = process.argv.slice(2)
await rotateSecretOn({
  databaseUrl,
  given,
  next,
  migrations: postgresMigrationsFolder(migrations),
  clock: () => new Date(),
  onStep(step) {
    if (step === last) process.kill(process.pid, 'SIGKILL')
  },
})
