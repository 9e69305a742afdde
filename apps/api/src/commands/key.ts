import { formatTimestamp, parseTimestamp } from '@saleproof/schema'
import { type Command, InvalidArgumentError } from 'commander'
import type { KeyVault } from '../crypto/key-vault.ts'
import {
  createKeyManagement,
  findKeys,
  type KeyManagement,
  type KeyRow,
  readLastFour,
} from '../domain/key-management.ts'
import type { LastUse } from '../usage/usage-store.ts'
import { withDatabase } from './database.ts'
import { itemIdOption, say, type Terminal, write, writeTable } from './terminal.ts'

function expiryOption(text: string): Date {
  const date = parseTimestamp(text)
  if (!date)
    throw new InvalidArgumentError('It takes a date and time with its offset, such as 2027-01-31T00:00:00Z.')
  return date
}

const inSevenDays = (now: Date) => new Date(now.getTime() + 7 * 24 * 60 * 60 * 1000)

const itemsOption = (text: string) => text.split(',').map((id) => itemIdOption(id.trim()))

const timestampOrNull = (date: Date | null) => date && formatTimestamp(date)

/** Never contains the key itself. */
const presentKey = (row: KeyRow, vault: KeyVault, lastUse: LastUse | undefined) => ({
  id: row.id,
  name: row.name,
  kind: row.publishable ? 'publishable' : 'secret',
  workspace: row.workspace.slug,
  created: timestampOrNull(row.createdAt),
  expires: timestampOrNull(row.expiresAt),
  revoked: timestampOrNull(row.revokedAt),
  last_used: lastUse ? formatTimestamp(lastUse.at) : null,
  last_four: readLastFour(vault, row),
  replaces: row.replacesId,
})

export function addKey(program: Command, terminal: Terminal) {
  const key = program.command('key').description('manage API keys')
  const withKeys = <T>(act: (keys: KeyManagement) => Promise<T>) =>
    withDatabase(terminal, (database) => act(createKeyManagement(database)))

  key
    .command('create')
    .description('create a key; print only the key to standard output')
    .requiredOption('--workspace <slug>', 'the workspace of the key')
    .option('--name <name>', 'the purpose of the key', 'key')
    .option('--expires <ISO date>', 'the time when the key stops working', expiryOption)
    .option('--publishable', 'create a key that only validates purchases', false)
    .option(
      '--items <ids>',
      'the items whose purchases the key validates, such as 101,102; default: all',
      itemsOption,
    )
    .action(async ({ workspace, name, expires, publishable, items = [] }) => {
      const created = await withKeys((keys) =>
        keys.create({ workspace, name, expiresAt: expires, publishable, itemIds: items }),
      )
      say(
        terminal,
        `created ${publishable ? 'publishable' : 'secret'} key ${created.id} of workspace ${workspace}:`,
      )
      await write(terminal, `${created.key}\n`)
    })

  key
    .command('list')
    .description('list all keys, without the keys themselves')
    .option('--json', 'print JSON', false)
    .action(async ({ json }) => {
      const rows = await withDatabase(terminal, async ({ prisma, usage, vault }) => {
        const used = await usage.lastUses()
        const found = await findKeys(prisma, {})
        return found.reverse().map((row) => presentKey(row, vault, used.get(row.id)))
      })
      const columns = [
        'id',
        'name',
        'kind',
        'workspace',
        'created',
        'expires',
        'revoked',
        'last_used',
        'last_four',
        'replaces',
      ] as const
      await writeTable(terminal, rows, { json, columns })
    })

  key
    .command('show <id>')
    .description('print only the key to standard output')
    .action(async (id) => write(terminal, `${await withKeys((keys) => keys.show(id))}\n`))

  key
    .command('rotate <id>')
    .description('create the successor of a key; print only the new key to standard output')
    .option('--ends <ISO date>', 'the time when the old key stops working; default: in 7 days', expiryOption)
    .action(async (id, { ends = inSevenDays(terminal.clock()) }) => {
      const successor = await withKeys((keys) => keys.rotate(id, ends))
      say(
        terminal,
        `created key ${successor.id}, which replaces ${id}; ${id} ends at ${formatTimestamp(ends)} at the latest:`,
      )
      await write(terminal, `${successor.key}\n`)
    })

  key
    .command('revoke <id>')
    .description('permanently revoke a key')
    .action(async (id) => {
      const { already } = await withKeys((keys) => keys.revoke(id))
      say(terminal, already ? `key ${id} was already revoked` : `revoked key ${id}`)
    })
}
