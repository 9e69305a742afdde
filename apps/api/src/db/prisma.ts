import type { PrismaClient } from '../generated/sqlite/client.ts'
import { DatabaseError, type DatabaseErrorKind } from './errors.ts'

export type {
  AccountModel,
  AccountUncheckedCreateInput as AccountInput,
  ItemModel,
  PurchaseModel,
  WorkspaceModel,
} from '../generated/sqlite/models.ts'

/** The client of either database: its types are those of the client for SQLite, which can do less. */
export type Prisma = PrismaClient

/** How long transactions may take, and may wait for another writer, in milliseconds. */
export interface TransactionLimits {
  timeout?: number
  maxWait?: number
}

/** Those of a command: an item that is removed may have a million purchases. */
export const commandLimits: TransactionLimits = { timeout: 600_000, maxWait: 60_000 }

export type Transaction = Parameters<Parameters<Prisma['$transaction']>[0]>[0]

/**
 * Writes several rows or none. What it confirms is on the disk. `id` is the workspace or account that all of it is about: on PostgreSQL, it
 * does not wait for what is about others.
 */
export type Write = <T>(act: (tx: Transaction) => Promise<T>, id?: string | number) => Promise<T>

export interface PrismaCall {
  /** The model; undefined for a call of the client itself, such as `$transaction`. */
  model: string | undefined
  operation: string
}

type Callables = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>

export function callPrisma(prisma: Prisma, { model, operation }: PrismaCall, args: unknown[]) {
  // Models and operations are known by their names alone here.
  const clients = prisma as unknown as Callables & Readonly<Record<string, Callables>>
  const call = model === undefined ? clients[operation] : clients[model]?.[operation]
  if (!call) throw new Error(`Prisma has no ${model ?? ''}.${operation}`)
  return call.apply(model === undefined ? clients : clients[model], args)
}

/**
 * A client whose calls all go through one function. Prisma's own extensions would load it, and a service that answers on the fast path may
 * never need it.
 */
export function proxyPrisma(call: (called: PrismaCall, args: unknown[]) => Promise<unknown>): Prisma {
  const method =
    (model: string | undefined, operation: string) =>
    (...args: unknown[]) =>
      call({ model, operation }, args)
  const model = (name: string) => new Proxy({}, { get: (_, operation: string) => method(name, operation) })
  // The proxy answers for every name, and nothing reads its target.
  return new Proxy({} as Prisma, {
    get: (_, name: string) => (name.startsWith('$') ? method(undefined, name) : model(name)),
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

/** The same client, whose errors go through a function. */
export const mapErrors = (prisma: Prisma, map: (error: unknown) => unknown): Prisma =>
  proxyPrisma(async (call, args) => {
    try {
      return await callPrisma(prisma, call, args)
    } catch (error) {
      throw map(error)
    }
  })
