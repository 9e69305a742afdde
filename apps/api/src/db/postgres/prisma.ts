import { PrismaPg } from '@prisma/adapter-pg'
import type { Pool } from 'pg'
import { PrismaClient } from '../../generated/postgresql/client.ts'
import { callPrisma, fromPrisma, mapErrors, type Prisma, proxyPrisma } from '../prisma.ts'
import { writeLock } from './transactions.ts'

/** A Prisma client on a pool, which the caller ends. Each of its transactions takes the write lock first. */
export async function openPrisma(pool: Pool) {
  const client = new PrismaClient({
    adapter: new PrismaPg(pool),
    // Prisma prints errors with their arguments otherwise, and those may be purchase codes.
    log: [],
    errorFormat: 'minimal',
  })
  // Generated from the same models: only what both clients can do is used.
  const both = client as unknown as Prisma
  const locking = proxyPrisma((call, args) => {
    if (call.operation !== '$transaction') return callPrisma(both, call, args)
    // They are those of the call that is named above.
    const [act, options] = args as Parameters<Prisma['$transaction']>
    return both.$transaction(async (tx) => {
      await tx.$executeRawUnsafe(writeLock)
      return act(tx)
    }, options)
  })
  // Errors of the server come from the connection, as `DatabaseError`s.
  const prisma = mapErrors(locking, (error) => fromPrisma(error, () => 'other'))
  await prisma.$connect()
  return { prisma, close: () => client.$disconnect() }
}
