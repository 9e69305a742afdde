import { randomUUID } from 'node:crypto'
import pg from 'pg'

// For tests on the server that postgres-server.ts starts.

export const migratedTemplate = 'saleproof_template'

async function asSuperuser(serverUrl: string, sql: string) {
  const client = new pg.Client(serverUrl)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

const urlOf = (serverUrl: string, name: string) => {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

export async function createDatabase(serverUrl: string, name: string, template = 'template0') {
  await asSuperuser(serverUrl, `CREATE DATABASE "${name}" TEMPLATE "${template}" STRATEGY file_copy`)
  return urlOf(serverUrl, name)
}

/** A database of its own for a test: migrated, or empty. */
export async function temporaryDatabase(serverUrl: string, { empty = false } = {}) {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const url = await createDatabase(serverUrl, name, empty ? undefined : migratedTemplate)
  return { url, remove: () => asSuperuser(serverUrl, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`) }
}
