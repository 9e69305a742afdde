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

type Callables = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>

export function callPrisma(
  prisma: Prisma | PrismaTransaction,
  { model, operation }: PrismaCall,
  args: unknown[],
) {
  // Models and operations are known by their names alone here.
  const clients = prisma as unknown as Callables & Readonly<Record<string, Callables>>
  const call = model === undefined ? clients[operation] : clients[model]?.[operation]
  if (!call) throw new Error(`Prisma has no ${model ?? ''}.${operation}`)
  return call.apply(model === undefined ? clients : clients[model], args)
}

/**
 * A client whose calls all go through one function, beside what is its own. Prisma's own extensions would load it, and a service that answers
 * on the fast path may never need it.
 */
export function proxyPrisma<Own extends object = object>(
  call: (called: PrismaCall, args: unknown[]) => Promise<unknown>,
  own = {} as Own,
): Prisma & Own {
  const method =
    (model: string | undefined, operation: string) =>
    (...args: unknown[]) =>
      call({ model, operation }, args)
  const model = (name: string) => new Proxy({}, { get: (_, operation: string) => method(name, operation) })
  // The proxy answers for every name.
  return new Proxy(own as Prisma & Own, {
    get: (_, name: string) =>
      name in own ? own[name as keyof Own] : name.startsWith('$') ? method(undefined, name) : model(name),
  })
}

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
