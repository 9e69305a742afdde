import { onTestFinished } from 'vitest'
import type { Transact } from '../../src/db/database.ts'
import { createLazyPrisma } from '../../src/db/lazy-prisma.ts'
import { fromPrisma } from '../../src/db/prisma.ts'
import { fromSqlite } from '../../src/db/sqlite/errors.ts'
import { openPrisma } from '../../src/db/sqlite/prisma.ts'
import { createWriter } from '../../src/db/sqlite/writer.ts'

/** Prisma on an SQLite file, and transactions, as a service has them, until the test ends. */
export async function openTestPrisma(file: string, timeoutMs = 5000, limitMs = 5000) {
  const writer = createWriter({ file, timeoutMs })
  onTestFinished(writer.close)
  const { prisma, join, close } = createLazyPrisma({
    open: () => openPrisma({ databaseFile: file, busyTimeoutMs: timeoutMs, writer, limitMs }),
    mapError: (error) => fromPrisma(fromSqlite(error)),
  })
  onTestFinished(close)
  await prisma.$connect()
  const transact: Transact = (act, ...options) => writer.transact((sql) => join(sql, writer, act), ...options)
  return { prisma, transact }
}
