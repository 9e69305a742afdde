import { AsyncLocalStorage } from 'node:async_hooks'
import type { PrismaClient } from '../generated/sqlite/client.ts'
import { DatabaseError, type DatabaseErrorKind } from './errors.ts'
import type { Sql } from './sql.ts'

export type {
  AccountModel,
  AccountUncheckedCreateInput as AccountInput,
  ItemModel,
  PurchaseModel,
  WorkspaceModel,
} from '../generated/sqlite/models.ts'

/** The client of either database: its types are those of the client for SQLite, which can do less. */
export type Prisma = PrismaClient

/** How long what a transaction does may take, of a service and of a command: an item that is removed may have a million purchases. */
export const transactionMs = { always: 10_000, 'when new': 600_000 }

export type PrismaTransaction = Parameters<Parameters<Prisma['$transaction']>[0]>[0]

/** Statements on the connection of a transaction, and Prisma on it. */
export type Transaction = Sql & PrismaTransaction

/** The connection of a transaction that has begun, while one of Prisma begins that is to be part of it. */
export const joinedConnection = new AsyncLocalStorage<object>()

/** What Prisma's adapter gives of such a part: the transaction itself begins and ends elsewhere. */
export const partOfTransaction = {
  options: { usePhantomQuery: true },
  commit: async () => {},
  rollback: async () => {},
}

export interface PrismaCall {
  /** The model; undefined for a call of the client itself, such as `$transaction`. */
  model: string | undefined
  operation: string
}

/** Stands around each call outside of a transaction. */
export type AroundCall = <Result>(call: PrismaCall, run: () => Promise<Result>) => Promise<Result>

/** Prisma's own codes: https://www.prisma.io/docs/orm/reference/error-reference */
const prismaKinds: Readonly<Record<string, DatabaseErrorKind>> = {
  P2024: 'exhausted',
  P2028: 'timeout',
}

interface PrismaError {
  name: string
  code?: unknown
}

// By name: Prisma is not loaded here. A call that is wrong in itself, a validation error, is a fault of ours.
const isPrismaError = (error: unknown): error is PrismaError =>
  error instanceof Error && /^PrismaClient(?!Validation)\w*Error$/.test(error.name)

/** An error of Prisma itself as a `DatabaseError`; any other error as it is: those of the database come as such through it. */
export function fromPrisma(error: unknown): unknown {
  if (!isPrismaError(error)) return error
  const reason = String(error.code ?? error.name)
  return new DatabaseError(prismaKinds[reason] ?? 'other', reason, error)
}
