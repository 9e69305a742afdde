import { formatTimestamp } from '@saleproof/schema'
import { type Command, InvalidArgumentError } from 'commander'
import { createItemRemoval } from '../domain/item-removal.ts'
import { createItemWithdrawal, type ItemWithdrawal } from '../domain/item-withdrawal.ts'
import { createItems } from '../domain/items.ts'
import { UserError } from '../user-error.ts'
import { createCliRecorder, domainOptions, withDatabase } from './database.ts'
import { say, type Terminal, writeTable } from './terminal.ts'

function itemId(text: string): bigint {
  if (!/^[1-9]\d{0,15}$/.test(text))
    throw new InvalidArgumentError('It takes the id of an item, such as 101.')
  return BigInt(text)
}

export function addItem(program: Command, terminal: Terminal) {
  const item = program.command('item').description('manage items')
  const set = async (change: keyof ItemWithdrawal, id: bigint) => {
    const found = await withDatabase(terminal, (database) =>
      createItemWithdrawal(domainOptions(terminal, database))[change](id),
    )
    if (!found) throw new UserError(`there is no item ${id}`)
    return found
  }

  item
    .command('list')
    .description('list the items')
    .option('--workspace <slug>', 'only those of this workspace')
    .option('--json', 'print JSON', false)
    .action(async ({ workspace, json }) => {
      const rows = await withDatabase(terminal, ({ prisma }) => createItems({ prisma }).list(workspace))
      const listed = rows.map((row) => ({
        id: Number(row.id),
        workspace: row.workspace.slug,
        name: row.name,
        kind: row.kind,
        published: formatTimestamp(row.publishedAt),
        withdrawn: row.withdrawnAt && formatTimestamp(row.withdrawnAt),
      }))
      const columns = ['id', 'workspace', 'name', 'kind', 'published', 'withdrawn'] as const
      await writeTable(terminal, listed, { json, columns })
    })

  item
    .command('withdraw')
    .description('take an item out of the API; its purchases still validate')
    .argument('<id>', 'the id of the item', itemId)
    .action(async (id: bigint) => {
      await set('withdraw', id)
      say(terminal, `item ${id} is withdrawn`)
    })

  item
    .command('restore')
    .description('bring a withdrawn item back')
    .argument('<id>', 'the id of the item', itemId)
    .action(async (id: bigint) => {
      await set('restore', id)
      say(terminal, `item ${id} is no longer withdrawn`)
    })

  item
    .command('remove')
    .description('permanently remove an item')
    .argument('<id>', 'the id of the item', itemId)
    .option('--with-purchases', 'also remove its purchases', false)
    .action(async (id: bigint, { withPurchases }) => {
      const { purchases } = await withDatabase(terminal, (database) => {
        const { write, usage } = database
        const record = createCliRecorder(terminal)
        return createItemRemoval({ write, usage, now: terminal.now, record })(id, { withPurchases })
      })
      say(terminal, `removed item ${id}${purchases ? ` and ${purchases} purchases` : ''}`)
    })
}
