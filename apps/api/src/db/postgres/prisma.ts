import { PrismaPg } from '@prisma/adapter-pg'
import type { Pool } from 'pg'
import { PrismaClient } from '../../generated/postgresql/client.ts'
import type { WriteScope } from '../database.ts'
import { callPrisma, fromPrisma, mapErrors, type Prisma, proxyPrisma, type Transaction } from '../prisma.ts'
import { scopeLocks } from './transactions.ts'

type Act = (tx: Transaction) => Promise<unknown>

type ScopedOptions = Parameters<Prisma['$transaction']>[1] & { scope?: WriteScope | undefined }

/** A Prisma client on a pool, which the caller ends. Each of its transactions takes the locks of its scope first. */
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
    // They are those of the call that is named above, with a scope perhaps.
    const [act, { scope, ...options } = {}] = args as [Act, ScopedOptions?]
    return both.$transaction(async (tx) => {
      for (const [sql, ...values] of scopeLocks(scope)) await tx.$executeRawUnsafe(sql, ...values)
      return act(tx)
    }, options)
  })
  // Errors of the server come from the connection, as `DatabaseError`s.
  const prisma = mapErrors(locking, (error) => fromPrisma(error, () => 'other'))
  await prisma.$connect()
  return { prisma, close: () => client.$disconnect() }
}
