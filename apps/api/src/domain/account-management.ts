import { PasswordSchema } from '@saleproof/schema/console'
import * as v from 'valibot'
import { hashPassword } from '../crypto/password.ts'
import type { Database } from '../db/database.ts'
import type { AccountInput, Transaction } from '../db/prisma.ts'
import { newId } from '../ids.ts'
import { accountTable } from '../records/account.ts'
import { checkRecord, type FieldIssue } from '../records/check-record.ts'
import { prismaColumns } from '../records/columns.ts'
import type { RecordField } from '../records/table.ts'
import { nest, toObject } from '../records/tree.ts'
import type { Changes } from './audit-log.ts'
import { DomainError } from './domain-error.ts'
import { createPasswordResets } from './password-resets.ts'
import { requireOwnSignInNames } from './sign-in-names.ts'

/** Its owner sets the rest in the console, or an import. */
export interface NewAccount {
  username: string
  email: string
}

/** Fields of a new account are invalid. Never contains their values. */
export class AccountError extends Error {
  readonly issues: readonly FieldIssue[]

  constructor(issues: readonly FieldIssue[]) {
    super('invalid fields')
    this.name = 'AccountError'
    this.issues = issues
  }
}

const emptyValue = ({ type, optional }: RecordField) => {
  if (optional) return null
  return type === 'link_map' ? {} : ''
}

/** The columns of a new account, but for its id and password, checked like a record of an import. */
function toColumns(given: NewAccount & { password: string | undefined }, now: Date) {
  const values: Readonly<Record<string, unknown>> = {
    ...given,
    balance: 0,
    currency: 'USD',
    registered_at: now.toISOString(),
  }
  const fields = accountTable.fields.map((field) => {
    const { path } = field
    return [path, values[path] ?? emptyValue(field)] as const
  })
  const checked = checkRecord({ type: 'account', ...toObject(nest(fields)) })
  if ('issues' in checked) throw new AccountError(checked.issues)
  // The table of an account names all of its columns.
  return { ...(prismaColumns(accountTable, checked.record) as AccountInput), registeredAt: now }
}

/** What is not personal, or replaced by itself. */
const kept = ['username', 'balance', 'currency', 'registered_at']

/** Replaces the personal data of an account whose workspaces keep selling. */
const erased = Object.fromEntries(
  accountTable.fields
    .filter(({ path }) => !kept.includes(path))
    .flatMap((field) => (field.column === undefined ? [] : [[field.column, emptyValue(field)]])),
)

export function createAccountManagement({
  prisma,
  transact,
  clock,
  record,
  erasing,
}: Changes & Pick<Database, 'erasing'>) {
  const resets = createPasswordResets({ prisma, clock })

  async function find(username: string) {
    const row = await prisma.account.findUnique({ where: { username } })
    if (!row) throw new DomainError('account_unknown')
    return row
  }

  async function erase(tx: Transaction, username: string): Promise<string | undefined> {
    const row = await tx.account.findUnique({
      where: { username },
      select: { id: true, _count: { select: { workspaces: true } } },
    })
    if (!row) throw new DomainError('account_unknown')
    const { id } = row
    await record(tx, { action: 'account.removed', subject: id })
    if (row._count.workspaces === 0) {
      await tx.account.delete({ where: { id } })
      return undefined
    }
    const anonymous = `removed-${newId()}`
    await tx.account.update({ where: { id }, data: { ...erased, username: anonymous } })
    await tx.session.deleteMany({ where: { accountId: id } })
    await tx.resetLink.deleteMany({ where: { accountId: id } })
    return anonymous
  }

  return {
    list: () =>
      prisma.account.findMany({
        orderBy: { username: 'asc' },
        select: {
          username: true,
          passwordHash: true,
          registeredAt: true,
          workspaces: { select: { slug: true }, orderBy: { slug: 'asc' } },
        },
      }),

    async create(account: NewAccount, password: string | undefined) {
      const columns = toColumns({ ...account, password }, clock())
      const { username } = columns
      if (await prisma.account.findUnique({ where: { username }, select: { id: true } }))
        throw new DomainError('account_taken', username)
      const passwordHash = password === undefined ? null : await hashPassword(password)
      const id = newId()
      await transact(async (tx) => {
        await tx.account.create({ data: { ...columns, id, passwordHash } })
        await requireOwnSignInNames(tx, id)
        await record(tx, { action: 'account.created', subject: id })
      })
      return { username }
    },

    async setPassword(username: string, password: string) {
      const { id } = await find(username)
      if (!v.is(PasswordSchema, password)) throw new AccountError([{ field: 'password', issue: 'password' }])
      const passwordHash = await hashPassword(password)
      await transact(async (tx) => {
        await tx.account.update({ where: { id }, data: { passwordHash } })
        await tx.session.deleteMany({ where: { accountId: id } })
        await record(tx, { action: 'password.changed', subject: id })
      })
    },

    /** Replaces the reset link of an account, and returns the token of the new one. */
    async createResetLink(username: string, expiresAt: Date): Promise<string> {
      const account = await find(username)
      return transact(async (tx) => {
        const token = await resets.create(tx, account, expiresAt)
        await record(tx, { action: 'reset_link.created', subject: account.id })
        return token
      })
    },

    /**
     * Erases the personal data. An account that owns workspaces remains under an anonymous name, so that its sales still validate. Returns
     * that name, or undefined if no account remains.
     */
    async remove(username: string): Promise<{ leftAs: string | undefined }> {
      await find(username)
      const leftAs = await erasing(() => transact((tx) => erase(tx, username)), 'Account')
      return { leftAs }
    },
  }
}

export type AccountManagement = ReturnType<typeof createAccountManagement>
