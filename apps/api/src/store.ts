import { createKeyVault, type KeyVault } from './crypto/key-vault.ts'
import { loadSecret } from './crypto/secret.ts'
import { databaseFile as fileOf } from './database/location.ts'
import { holdDatabase } from './database/lock.ts'
import { createMigrator } from './database/migrate.ts'
import { MigrationError } from './database/migration-error.ts'
import { openLater, type Prisma } from './database/open-later.ts'

/** The database and what opens its keys. */
export interface Store {
  prisma: Prisma
  vault: KeyVault
  databaseFile: string
  /** Where the database was copied to before pending migrations were applied. */
  backup: string | undefined
  close: () => Promise<void>
}

interface StoreOptions {
  databaseUrl: string
  secret: string | undefined
  cwd: string
  migrations: string
  busyTimeoutMs: number
  clock: () => Date
  /** Whether pending migrations are applied: to serve, always; for a command, only to a database that is not there yet. */
  migrate: 'always' | 'when new'
}

/** Opens the database of a deployment, migrated, with the secret that its keys were made with; until it is closed, nothing replaces it. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const databaseFile = fileOf(options.databaseUrl, options.cwd)
  const held = holdDatabase(databaseFile)
  try {
    const store = await openHeld(databaseFile, options)
    return { ...store, close: () => store.close().finally(held.release) }
  } catch (error) {
    held.release()
    throw error
  }
}

async function openHeld(databaseFile: string, options: StoreOptions): Promise<Store> {
  const { migrations: folder, busyTimeoutMs, clock } = options
  const migrator = createMigrator({ file: databaseFile, folder, clock })
  const { applied, pending } = migrator.status()
  let backup: string | undefined
  if (pending.length) {
    if (options.migrate === 'when new' && applied.length) {
      throw new MigrationError(
        'pending',
        `the database lacks ${pending.length} migrations: run "saleproof migrate"`,
      )
    }
    backup = (await migrator.apply()).backup
  }
  const secret = loadSecret({ databaseFile, given: options.secret, clock })
  const { prisma, close } = openLater({ file: databaseFile, busyTimeoutMs })
  return { prisma, vault: createKeyVault(secret), databaseFile, backup, close }
}
