import { formatTimestamp, parseTimestamp } from '@saleproof/schema'
import { type Command, InvalidArgumentError } from 'commander'
import { transactionsOn } from '../db/prisma.ts'
import { createKeyManagement, type KeyManagement } from '../domain/key-management.ts'
import type { OpenDatabase } from '../open-database.ts'
import type { LastUse } from '../usage/usage-store.ts'
import { recorderOf, withDatabase } from './database.ts'
import { say, type Terminal, write, writeTable } from './terminal.ts'

function expiryOption(text: string): Date {
  const date = parseTimestamp(text)
  if (!date)
    throw new InvalidArgumentError('It takes a date and time with its offset, such as 2027-01-31T00:00:00Z.')
  return date
}

function itemsOption(text: string): number[] {
  const ids = text.split(',').map((id) => id.trim())
  if (!ids.every((id) => /^[1-9]\d{0,15}$/.test(id) && Number.isSafeInteger(Number(id)))) {
    throw new InvalidArgumentError('It takes item ids with commas between them, such as 101,102.')
  }
  return ids.map(Number)
}

type Row = Awaited<ReturnType<KeyManagement['list']>>[number]

const moment = (date: Date | null) => date && formatTimestamp(date)

/** What is told of a key: never the key. */
const presentKey = (row: Row, lastUse: LastUse | undefined) => ({
  id: row.id,
  name: row.name,
  kind: row.publishable ? 'publishable' : 'secret',
  workspace: row.workspace.slug,
  created: moment(row.createdAt),
  expires: moment(row.expiresAt),
  revoked: moment(row.revokedAt),
  last_used: lastUse ? formatTimestamp(lastUse.at) : null,
})

export function addKey(program: Command, terminal: Terminal) {
  const key = program.command('key').description('manage API keys')
  const withKeys = <T>(act: (keys: KeyManagement, database: OpenDatabase) => Promise<T>) =>
    withDatabase(terminal, (database) => {
      const [{ prisma, vault }, { clock }] = [database, terminal]
      const record = recorderOf(terminal, database)
      return act(
        createKeyManagement({ prisma, write: transactionsOn(prisma), vault, clock, record }),
        database,
      )
    })

  key
    .command('create')
    .description('make a key; prints it alone on standard output')
    .requiredOption('--workspace <slug>', 'the workspace that the key belongs to')
    .option('--name <name>', 'what it is for', 'key')
    .option('--expires <ISO date>', 'when it stops working', expiryOption)
    .option('--publishable', 'it can only validate purchases', false)
    .option('--items <ids>', 'the items whose purchases it validates; all without', itemsOption)
    .action(async ({ workspace, name, expires, publishable, items = [] }) => {
      const made = await withKeys((keys) =>
        keys.create({ workspace, name, expiresAt: expires, publishable, itemIds: items }),
      )
      say(
        terminal,
        `made ${publishable ? 'publishable' : 'secret'} key ${made.id} of workspace ${workspace}:`,
      )
      await write(terminal, `${made.key}\n`)
    })

  key
    .command('list')
    .description('list all keys, without the keys themselves')
    .option('--json', 'as JSON', false)
    .action(async ({ json }) => {
      const rows = await withKeys(async (keys, { lastUses }) => {
        const used = await lastUses()
        return (await keys.list()).map((row) => presentKey(row, used.get(row.id)))
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
      ] as const
      await writeTable(terminal, rows, { json, columns })
    })

  key
    .command('show <id>')
    .description('print a key again, alone on standard output')
    .action(async (id) => write(terminal, `${await withKeys((keys) => keys.show(id))}\n`))

  key
    .command('revoke <id>')
    .description('refuse a key from now on, for ever')
    .action(async (id) => {
      const { already } = await withKeys((keys) => keys.revoke(id))
      say(terminal, already ? `key ${id} was revoked before` : `revoked key ${id}`)
    })
}
