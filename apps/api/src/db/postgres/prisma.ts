import { PrismaPg } from '@prisma/adapter-pg'
import type { Pool } from 'pg'
import { PrismaClient } from '../../generated/postgresql/client.ts'
import type { Prisma } from '../sqlite/prisma.ts'
import { writeLock } from './write-lock.ts'

type Transaction = Prisma['$transaction']

/** Whoever asks for a transaction writes. */
const locking = (prisma: Prisma): Transaction =>
  ((act: Parameters<Transaction>[0], options?: object) =>
    prisma.$transaction(async (tx) => {
      await tx.$executeRawUnsafe(writeLock)
      return act(tx)
    }, options)) as Transaction

/**
 * A Prisma client on a pool, which its caller ends. Its types are those of the client for SQLite: what both can do is all that is used.
 */
export async function openPrisma(pool: Pool) {
  const client = new PrismaClient({
    adapter: new PrismaPg(pool),
    // Prisma prints errors with their arguments otherwise, and those may be purchase codes.
    log: [],
    errorFormat: 'minimal',
  })
  await client.$connect()
  const transaction = locking(client as unknown as Prisma)
  const prisma = new Proxy(client as unknown as Prisma, {
    get: (target, name) => (name === '$transaction' ? transaction : Reflect.get(target, name)),
  })
  return { prisma, close: () => client.$disconnect() }
}
