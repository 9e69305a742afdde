import { PrismaPg } from '@prisma/adapter-pg'
import type { Pool } from 'pg'
import { PrismaClient } from '../../generated/postgresql/client.ts'
import type { Prisma } from '../open.ts'

/**
 * A Prisma client on a pool, which its caller ends. Its types are those of the client for SQLite: what both can do is all that is used.
 */
export async function openPostgres(pool: Pool) {
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool),
    // Prisma prints errors with their arguments otherwise, and those may be purchase codes.
    log: [],
    errorFormat: 'minimal',
  })
  await prisma.$connect()
  return { prisma: prisma as unknown as Prisma, close: () => prisma.$disconnect() }
}
