import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { missingMigration } from './migration-engine.ts'

// Writes the next migration from the difference between prisma/schema.prisma and the migrations that exist.

const name = process.argv[2]
const folder = join(import.meta.dirname, '../prisma/migrations')

if (!name || !/^[a-z0-9_-]{1,60}$/.test(name)) {
  console.error('usage: pnpm --filter @saleproof/api migration NAME   (lower-case letters, digits, - and _)')
  process.exit(2)
}
mkdirSync(folder, { recursive: true })
const lock = join(folder, 'migration_lock.toml')
if (!existsSync(lock)) writeFileSync(lock, '# Written by Prisma\nprovider = "sqlite"\n')

const sql = await missingMigration(folder)
if (sql === undefined) {
  console.error('nothing to write: the migrations give the schema already')
} else {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const target = join(folder, `${stamp}_${name.replaceAll('-', '_')}`)
  mkdirSync(target)
  writeFileSync(join(target, 'migration.sql'), sql)
  console.error(`wrote ${join(target, 'migration.sql')}: read it before you commit it`)
}
