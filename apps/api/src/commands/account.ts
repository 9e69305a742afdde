import { type Command, InvalidArgumentError } from 'commander'
import { transactionsOn } from '../db/prisma.ts'
import {
  AccountError,
  type AccountManagement,
  createAccountManagement,
} from '../domain/account-management.ts'
import { recorderOf, withDatabase } from './database.ts'
import { readPassword } from './password.ts'
import { CommandError, say, type Terminal } from './terminal.ts'

/** The options by the member that they set: problems name members, people know options. */
const optionOf: Readonly<Record<string, string>> = {
  username: '--username',
  email: '--email',
  'name.firstname': '--firstname',
  'name.lastname': '--lastname',
  'name.full_name': '--full-name',
  balance: '--balance',
  currency: '--currency',
  'profile.heading': '--heading',
  'profile.description': '--description',
  'profile.contact.email': '--contact-email',
  'profile.media.avatar': '--avatar',
  'profile.media.cover': '--cover',
  password: 'the password',
}

const nameOf = (member: string) =>
  optionOf[member] ?? (member.startsWith('profile.social_links') ? '--social-link' : member)

function explain(error: unknown): unknown {
  if (!(error instanceof AccountError)) return error
  return new CommandError(
    error.problems.map(({ member, message }) => `${nameOf(member)} ${message}`).join('\n'),
    2,
  )
}

function addSocialLink(text: string, links: Readonly<Record<string, string>> = {}) {
  const match = /^([^=\s]+)=(.+)$/.exec(text)
  if (!match) throw new InvalidArgumentError('It takes a network and a link, such as x=https://x.com/ada.')
  return { ...links, [match[1]!]: match[2]! }
}

export function addAccount(program: Command, terminal: Terminal) {
  const account = program.command('account').description('manage the accounts that own workspaces')
  const withAccounts = <T>(act: (accounts: AccountManagement) => Promise<T>) =>
    withDatabase(terminal, async (database) => {
      const [{ prisma, erasing }, { clock }] = [database, terminal]
      const [write, record] = [transactionsOn(prisma), recorderOf(terminal, database)]
      try {
        return await act(createAccountManagement({ prisma, write, clock, record, erasing }))
      } catch (error) {
        throw explain(error)
      }
    })

  account
    .command('create')
    .description('make an account; its password comes from a prompt or from standard input')
    .requiredOption('--username <name>', 'what its owner logs in with')
    .requiredOption('--email <address>', 'its e-mail address')
    .option('--firstname <name>')
    .option('--lastname <name>')
    .option('--full-name <name>', 'first and last name without')
    .option('--currency <code>', 'of its balance', 'USD')
    .option('--balance <amount>', 'in the unit of the currency', '0')
    .option('--heading <text>', 'of its profile')
    .option('--description <text>', 'of its profile')
    .option('--contact-email <address>', 'of its profile, for buyers to see')
    .option('--avatar <link>')
    .option('--cover <link>')
    .option('--social-link <network=link>', 'may be given several times', addSocialLink)
    .option('--no-password', 'an account that nobody can log in to until it gets one')
    .action(async ({ password: withPassword, socialLink, ...given }) => {
      const password = withPassword ? await readPassword(terminal) : undefined
      const { username } = await withAccounts((accounts) =>
        accounts.create({ ...given, socialLinks: socialLink, password }),
      )
      say(
        terminal,
        `made account ${username}; make a workspace of it with: saleproof workspace create --owner ${username}`,
      )
    })

  account
    .command('password')
    .description('set a new password, from a prompt or from standard input')
    .argument('<username>', 'the account')
    .action(async (username: string) => {
      const password = await readPassword(terminal)
      await withAccounts((accounts) => accounts.setPassword(username, password))
      say(terminal, `account ${username} has a new password`)
    })

  account
    .command('remove')
    .description('erase what is personal of an account, for good; its workspaces go on working')
    .argument('<username>', 'the account')
    .action(async (username: string) => {
      const { leftAs } = await withAccounts((accounts) => accounts.remove(username))
      say(
        terminal,
        leftAs
          ? `erased account ${username}; its workspaces, keys and sales go on working, owned by ${leftAs}`
          : `removed account ${username}`,
      )
      say(terminal, 'backups, exports and copies of the database from before still hold what was erased')
    })
}
