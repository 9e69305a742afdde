import { createRequire } from 'node:module'
import type Sqlite from 'better-sqlite3'

const require = createRequire(import.meta.url)

/** The driver, loaded when a file is opened: a process that serves from PostgreSQL never does. */
export const loadSqlite = (): typeof Sqlite => require('better-sqlite3')
