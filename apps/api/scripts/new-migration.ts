import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '@saleproof/postgres'
import { missingMigration } from './migration-engine.ts'
import { migrationsFolder, type Provider, providers } from './prisma-schema.ts'

// Writes the next migration of each database from the difference between prisma/schema.prisma and the migrations that exist.

const name = process.argv[2]

if (!name || !/^[a-z0-9_-]{1,60}$/.test(name)) {
  console.error('usage: pnpm --filter @saleproof/api migration NAME   (lower-case letters, digits, - and _)')
  process.exit(2)
}

/** Texts are compared by their bytes in both databases: no order depends on a machine's locale, and no index breaks when that changes. */
const byBytes = (sql: string) => sql.replaceAll(/ TEXT\b/g, ' TEXT COLLATE "C"')

function write(provider: Provider, folder: string, sql: string) {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const target = join(folder, `${stamp}_${name!.replaceAll('-', '_')}`)
  mkdirSync(target)
  writeFileSync(join(target, 'migration.sql'), provider === 'postgresql' ? byBytes(sql) : sql)
  console.error(`wrote ${join(target, 'migration.sql')}: read it before you commit it`)
}

const server = await startPostgres({ settings: { fsync: 'off' } })
try {
  for (const provider of providers) {
    const folder = migrationsFolder(provider)
    mkdirSync(folder, { recursive: true })
    const lock = join(folder, 'migration_lock.toml')
    if (!existsSync(lock)) writeFileSync(lock, `# Written by Prisma\nprovider = "${provider}"\n`)
    const sql = await missingMigration(provider, folder, provider === 'sqlite' ? undefined : server.url())
    if (sql === undefined) console.error(`nothing to write for ${provider}: its migrations give the schema`)
    else write(provider, folder, sql)
  }
} finally {
  await server.remove()
}
