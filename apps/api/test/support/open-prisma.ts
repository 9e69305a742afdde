import { onTestFinished } from 'vitest'
import { openPrisma } from '../../src/db/sqlite/prisma.ts'
import { createWriter } from '../../src/db/sqlite/writer.ts'

/** A Prisma client on an SQLite file, as a service has it, until the test ends. */
export async function openTestPrisma(file: string, timeoutMs = 5000) {
  const writer = createWriter({ file, timeoutMs })
  onTestFinished(writer.close)
  const { prisma, close } = await openPrisma({ file, busyTimeoutMs: timeoutMs, writer })
  onTestFinished(close)
  return prisma
}
