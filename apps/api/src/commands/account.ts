import { formatTimestamp } from '@saleproof/schema'
import { recordIssues } from '@saleproof/schema/records'
import type { Command } from 'commander'
import {
  AccountError,
  type AccountManagement,
  createAccountManagement,
} from '../domain/account-management.ts'
import { readConfig, withDatabase } from './database.ts'
import { readPassword } from './password.ts'
import { CommandError, say, type Terminal, write, writeTable } from './terminal.ts'

const hourMs = 60 * 60 * 1000

const withoutPublicUrl = [
  'PUBLIC_URL is not set, so the link has no address to begin with.',
  'Set it to the address of the service in browsers, for this command and for serve, such as',
  'PUBLIC_URL=https://market.example.com',
].join('\n')

function explain({ issues }: AccountError) {
  const lines = issues.map(({ field, issue }) => `${field?.split('.').at(-1)} ${recordIssues.en[issue]}`)
  return new CommandError(lines.join('\n'), 2)
}

function addList(account: Command, terminal: Terminal) {
  account
    .command('list')
    .description('list all accounts')
    .option('--json', 'print JSON', false)
    .action(async ({ json }) => {
      const rows = await withDatabase(terminal, (database) => createAccountManagement(database).list())
      const listed = rows.map((row) => ({
        username: row.username,
        workspaces: row.workspaces.map(({ slug }) => slug).join(', '),
        password: row.passwordHash !== null,
        registered: formatTimestamp(row.registeredAt),
      }))
      const columns = ['username', 'workspaces', 'password', 'registered'] as const
      await writeTable(terminal, listed, { json, columns })
    })
}

export function addAccount(program: Command, terminal: Terminal) {
  const account = program.command('account').description('manage the accounts that own workspaces')
  const withAccounts = <T>(act: (accounts: AccountManagement) => Promise<T>) =>
    withDatabase(terminal, async (database) => {
      try {
        return await act(createAccountManagement(database))
      } catch (error) {
        throw error instanceof AccountError ? explain(error) : error
      }
    })

  account
    .command('create')
    .description('create an account; read its password from a prompt or standard input')
    .requiredOption('--username <name>', 'the name to sign in with')
    .requiredOption('--email <address>', 'the e-mail address of the owner')
    .option('--no-password', 'create the account without a password; its owner cannot sign in yet')
    .action(async ({ password: isAsked, ...given }) => {
      const password = isAsked ? await readPassword(terminal) : undefined
      const { username } = await withAccounts((accounts) => accounts.create(given, password))
      say(terminal, `created account ${username}; "saleproof workspace create" makes its workspace`)
    })

  addList(account, terminal)

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
    .command('reset-link')
    .description('print a link with which its owner sets a new password; it works once, for an hour')
    .argument('<username>', 'the account')
    .action(async (username: string) => {
      const { publicUrl } = readConfig(terminal)
      if (publicUrl === undefined) throw new CommandError(withoutPublicUrl, 2)
      const expiresAt = new Date(terminal.clock().getTime() + hourMs)
      const token = await withAccounts((accounts) => accounts.createResetLink(username, expiresAt))
      const until = formatTimestamp(expiresAt)
      say(
        terminal,
        `this link sets a new password of account ${username} once, until ${until}; a newer link or password ends it:`,
      )
      await write(terminal, `${publicUrl}/console/reset#${token}\n`)
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
