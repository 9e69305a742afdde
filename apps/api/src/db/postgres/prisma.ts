import { PrismaPg } from '@prisma/adapter-pg'
import type { Pool } from 'pg'
import { PrismaClient } from '../../generated/postgresql/client.ts'
import { fromPrisma, mapErrors, type Prisma } from '../prisma.ts'

/** A Prisma client on a pool, which the caller ends. */
export async function openPrisma(pool: Pool) {
  const client = new PrismaClient({
    adapter: new PrismaPg(pool),
    // Prisma prints errors with their arguments otherwise, and those may be purchase codes.
    log: [],
    errorFormat: 'minimal',
  })
  // Generated from the same models: only what both clients can do is used.
  const both = client as unknown as Prisma
  const prisma = mapErrors(both, fromPrisma)
  await prisma.$connect()
  return { prisma, close: () => client.$disconnect() }
}
