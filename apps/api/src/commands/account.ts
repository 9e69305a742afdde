import { type Command, InvalidArgumentError } from 'commander'
import {
  AccountError,
  type AccountManagement,
  createAccountManagement,
} from '../domain/account-management.ts'
import { domainOptions, withDatabase } from './database.ts'
import { readPassword } from './password.ts'
import { CommandError, say, type Terminal } from './terminal.ts'

/** The option that sets each field: errors name fields, users know options. */
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

const optionFor = (field: string) =>
  optionOf[field] ?? (field.startsWith('profile.social_links') ? '--social-link' : field)

function explain(error: unknown): unknown {
  if (!(error instanceof AccountError)) return error
  const lines = error.problems.map(({ field, message }) => `${optionFor(field)} ${message}`)
  return new CommandError(lines.join('\n'), 2)
}

function addSocialLink(text: string, links: Readonly<Record<string, string>> = {}) {
  const [, network, link] = /^([^=\s]+)=(.+)$/.exec(text) ?? []
  if (!network || !link)
    throw new InvalidArgumentError('It takes a network and a link, such as x=https://x.com/ada.')
  return { ...links, [network]: link }
}

export function addAccount(program: Command, terminal: Terminal) {
  const account = program.command('account').description('manage the accounts that own workspaces')
  const withAccounts = <T>(act: (accounts: AccountManagement) => Promise<T>) =>
    withDatabase(terminal, async (database) => {
      try {
        return await act(createAccountManagement(domainOptions(terminal, database)))
      } catch (error) {
        throw explain(error)
      }
    })

  account
    .command('create')
    .description('create an account; read its password from a prompt or standard input')
    .requiredOption('--username <name>', 'the name to sign in with')
    .requiredOption('--email <address>', 'the e-mail address of the owner')
    .option('--firstname <name>')
    .option('--lastname <name>')
    .option('--full-name <name>', 'default: first and last name')
    .option('--currency <code>', 'the currency of the balance', 'USD')
    .option('--balance <amount>', 'the balance in that currency', '0')
    .option('--heading <text>', 'the heading of the profile')
    .option('--description <text>', 'the description in the profile')
    .option('--contact-email <address>', 'an address for buyers, in the profile')
    .option('--avatar <link>')
    .option('--cover <link>')
    .option('--social-link <network=link>', 'can be repeated', addSocialLink)
    .option('--no-password', 'create the account without a password; its owner cannot sign in yet')
    .action(async ({ password: withPassword, socialLink, ...given }) => {
      const password = withPassword ? await readPassword(terminal) : undefined
      const { username } = await withAccounts((accounts) =>
        accounts.create({ ...given, socialLinks: socialLink, password }),
      )
      say(
        terminal,
        `created account ${username}; create its workspace with: saleproof workspace create --owner ${username}`,
      )
    })

  account
    .command('password')
    .description('set a new password from a prompt or standard input')
    .argument('<username>', 'the account')
    .action(async (username: string) => {
      const password = await readPassword(terminal)
      await withAccounts((accounts) => accounts.setPassword(username, password))
      say(terminal, `account ${username} has a new password`)
    })

  account
    .command('remove')
    .description('permanently erase the personal data of an account; its workspaces keep working')
    .argument('<username>', 'the account')
    .action(async (username: string) => {
      const { leftAs } = await withAccounts((accounts) => accounts.remove(username))
      say(
        terminal,
        leftAs
          ? `erased account ${username}; its workspaces, keys and sales keep working, owned by ${leftAs}`
          : `removed account ${username}`,
      )
      say(terminal, 'older backups, exports and copies of the database still contain the erased data')
    })
}
