import { PrismaPg } from '@prisma/adapter-pg'
import type { Pool } from 'pg'
import { PrismaClient } from '../../generated/postgresql/client.ts'
import { joinedConnection, type Prisma, partOfTransaction } from '../prisma.ts'

class PostgresAdapter extends PrismaPg {
  override async connect() {
    const adapter = await super.connect()
    const begin = adapter.startTransaction.bind(adapter)
    adapter.startTransaction = async () => {
      const client = joinedConnection.getStore()
      // A private field of the adapter, which sends its statements there.
      return client
        ? Object.assign(Object.create(adapter, { client: { value: client } }), partOfTransaction)
        : begin()
    }
    return adapter
  }
}

/** A Prisma client on a pool, which the caller ends; what a transaction does may take a time. */
export async function openPrisma(pool: Pool, transactionMs: number) {
  const client = new PrismaClient({
    adapter: new PostgresAdapter(pool),
    // Prisma prints errors with their arguments otherwise, and those may be purchase codes.
    log: [],
    errorFormat: 'minimal',
    transactionOptions: { timeout: transactionMs },
  })
  // Generated from the same models: only what both clients can do is used.
  const prisma = client as unknown as Prisma
  await prisma.$connect()
  return { prisma, close: () => client.$disconnect() }
}
