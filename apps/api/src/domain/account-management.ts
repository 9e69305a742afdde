import { parseMoney } from '@saleproof/schema'
import { PasswordSchema } from '@saleproof/schema/console'
import { type RecordIssue, recordIssues } from '@saleproof/schema/records'
import * as v from 'valibot'
import type { Recorder } from '../audit/append.ts'
import { hashPassword } from '../crypto/password.ts'
import type { Database } from '../db/database.ts'
import type { Prisma, Transaction, Write } from '../db/prisma.ts'
import { newId } from '../ids.ts'
import { checkRecord } from '../records/check-record.ts'
import { UserError } from '../user-error.ts'

interface AccountManagementOptions {
  prisma: Prisma
  write: Write
  clock: () => Date
  record: Recorder
  /** Runs a deletion so that nothing of the data remains on the disk. */
  erasing: Database['erasing']
}

/** A new account. Every field that is left out is empty. */
export interface NewAccount {
  username: string
  email: string
  firstname?: string | undefined
  lastname?: string | undefined
  /** Default: first and last name. */
  fullName?: string | undefined
  currency?: string | undefined
  balance?: string | undefined
  heading?: string | undefined
  description?: string | undefined
  contactEmail?: string | undefined
  avatar?: string | undefined
  cover?: string | undefined
  socialLinks?: Readonly<Record<string, string>> | undefined
  password?: string | undefined
}

interface FieldProblem {
  field: string
  message: string
}

/** Fields of a new account are invalid. Never contains their values. */
export class AccountError extends Error {
  readonly problems: readonly FieldProblem[]

  constructor(problems: readonly FieldProblem[]) {
    super(problems.map(({ field, message }) => `${field} ${message}`).join('\n'))
    this.name = 'AccountError'
    this.problems = problems
  }
}

const issues = recordIssues.en

/** The account as a record of an import, to be validated like one. */
function recordOf(account: NewAccount, now: Date) {
  const { firstname = '', lastname = '', contactEmail = '', password } = account
  return {
    type: 'account',
    username: account.username,
    email: account.email,
    name: { firstname, lastname, full_name: account.fullName ?? `${firstname} ${lastname}`.trim() },
    balance: account.balance ?? '0',
    currency: account.currency ?? 'USD',
    profile: {
      heading: account.heading ?? '',
      description: account.description ?? '',
      contact: { email: contactEmail },
      social_links: account.socialLinks ?? {},
      media: { avatar: account.avatar ?? '', cover: account.cover ?? '' },
    },
    registered_at: now.toISOString(),
    ...(password !== undefined && { password }),
  }
}

const problemOf = (field: string | null, issue: RecordIssue): FieldProblem => ({
  field: field ?? 'it',
  message: issues[issue],
})

/** The columns of a new account, but for its id and password. */
function columnsOf(account: NewAccount, now: Date) {
  const checked = checkRecord(recordOf(account, now))
  if ('issues' in checked)
    throw new AccountError(checked.issues.map(({ field, issue }) => problemOf(field, issue)))
  if (checked.record.type !== 'account') throw new TypeError('not an account')
  const { username, email, name, balance, currency, profile } = checked.record
  const amount = parseMoney(balance, currency)
  if ('problem' in amount)
    throw new AccountError([
      problemOf(amount.problem === 'currency' ? 'currency' : 'balance', amount.problem),
    ])
  return {
    username,
    email,
    firstname: name.firstname,
    lastname: name.lastname,
    fullName: name.full_name,
    balance: BigInt(amount.minor),
    currency,
    heading: profile.heading,
    description: profile.description,
    contactEmail: profile.contact.email,
    socialLinks: profile.social_links,
    avatar: profile.media.avatar,
    cover: profile.media.cover,
    registeredAt: now,
  }
}

/** Replaces the personal data of an account whose workspaces keep selling. */
const erased = {
  email: '',
  firstname: '',
  lastname: '',
  fullName: '',
  heading: '',
  description: '',
  contactEmail: '',
  socialLinks: {},
  avatar: '',
  cover: '',
  passwordHash: null,
} as const

/** Creates accounts, sets their passwords, and erases them. */
export function createAccountManagement({ prisma, write, clock, record, erasing }: AccountManagementOptions) {
  async function idOf(username: string): Promise<string> {
    const row = await prisma.account.findUnique({ where: { username }, select: { id: true } })
    if (!row) throw new UserError('there is no account with that name')
    return row.id
  }

  async function erase(tx: Transaction, username: string): Promise<string | undefined> {
    const row = await tx.account.findUnique({
      where: { username },
      select: { id: true, _count: { select: { workspaces: true } } },
    })
    if (!row) throw new UserError('there is no account with that name')
    const { id } = row
    await record(tx, { action: 'account.removed', subject: id })
    if (row._count.workspaces === 0) {
      await tx.account.delete({ where: { id } })
      return undefined
    }
    const anonymous = `removed-${newId()}`
    await tx.account.update({ where: { id }, data: { ...erased, username: anonymous } })
    await tx.session.deleteMany({ where: { accountId: id } })
    return anonymous
  }

  return {
    async create(account: NewAccount) {
      const columns = columnsOf(account, clock())
      const { username } = columns
      if (await prisma.account.findUnique({ where: { username }, select: { id: true } }))
        throw new UserError(`account ${username} already exists: choose another username`)
      const passwordHash = account.password === undefined ? null : await hashPassword(account.password)
      const id = newId()
      await write(async (tx) => {
        await tx.account.create({ data: { ...columns, id, passwordHash } })
        await record(tx, { action: 'account.created', subject: id })
      })
      return { username }
    },

    async setPassword(username: string, password: string) {
      const id = await idOf(username)
      if (!v.is(PasswordSchema, password))
        throw new AccountError([{ field: 'password', message: issues.password }])
      const passwordHash = await hashPassword(password)
      await write(async (tx) => {
        await tx.account.update({ where: { id }, data: { passwordHash } })
        await tx.session.deleteMany({ where: { accountId: id } })
        await record(tx, { action: 'password.changed', subject: id })
      })
    },

    /**
     * Erases the personal data. An account that owns workspaces remains under an anonymous name, so that its sales still validate. Returns
     * that name, or undefined if no account remains.
     */
    async remove(username: string): Promise<{ leftAs: string | undefined }> {
      const leftAs = await erasing(() => write((tx) => erase(tx, username)))
      return { leftAs }
    },
  }
}

export type AccountManagement = ReturnType<typeof createAccountManagement>
