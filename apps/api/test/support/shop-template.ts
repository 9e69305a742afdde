import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '@saleproof/postgres'
import pg from 'pg'
import { migrationsFolder } from '../../scripts/prisma-schema.ts'
import { readAddress } from '../../src/db/postgres/address.ts'
import { createPostgresMigrator } from '../../src/db/postgres/migrate.ts'

// Some tests need a server of their own. Each starts on a copy of one: to make and migrate it again would take longer than most of them.

/** A role that may do no more than it has to. */
const role = { name: 'shop', password: 'a-password-of-the-shop' }

/** The address of the deployment's database on a server, or on whatever stands before it, as its owner. */
export function shopUrl(port: number, parameters = ''): string {
  return `postgresql://${role.name}:${role.password}@127.0.0.1:${port}/shop${parameters}`
}

async function ask(server: PostgresServer, statements: readonly string[]) {
  const client = new pg.Client(server.url())
  await client.connect()
  try {
    for (const sql of statements) await client.query(sql)
  } finally {
    await client.end()
  }
}

const createShop = `CREATE DATABASE shop OWNER ${role.name} TEMPLATE template0`

/** Makes a database of a deployment that belongs to an ordinary role. */
const makeShop = (server: PostgresServer) =>
  ask(server, [`CREATE ROLE ${role.name} LOGIN PASSWORD '${role.password}'`, createShop])

/** Replaces it by one without tables. */
export const emptyShop = (server: PostgresServer) => ask(server, ['DROP DATABASE shop', createShop])

export async function migrate(url: string) {
  const folder = migrationsFolder('postgresql')
  await createPostgresMigrator({ address: readAddress(url), folder, clock: () => new Date() }).apply()
}

/** A folder for a server, with what another one holds that was stopped. */
export function copyOfServer(folder: string) {
  const copy = mkdtempSync(join(tmpdir(), 'saleproof-postgres-'))
  execFileSync('cp', ['-a', '--reflink=auto', join(folder, 'data'), join(folder, 'data.password'), copy])
  return { folder: copy, remove: () => rmSync(copy, { recursive: true, force: true }) }
}

/** The data of a stopped server with a migrated database of a deployment. */
export async function makeShopTemplate() {
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-postgres-'))
  const server = await startPostgres({ folder, settings: { fsync: 'off' } })
  await makeShop(server)
  await migrate(shopUrl(server.port))
  await server.stop()
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
