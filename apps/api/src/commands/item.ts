import { formatTimestamp } from '@saleproof/schema'
import { type Command, InvalidArgumentError } from 'commander'
import { createItemRemoval } from '../domain/item-removal.ts'
import { createItems } from '../domain/items.ts'
import { createCliRecorder, withDatabase } from './database.ts'
import { say, type Terminal, writeTable } from './terminal.ts'

function itemId(text: string): bigint {
  if (!/^[1-9]\d{0,15}$/.test(text))
    throw new InvalidArgumentError('It takes the id of an item, such as 101.')
  return BigInt(text)
}

export function addItem(program: Command, terminal: Terminal) {
  const item = program.command('item').description('manage items')

  item
    .command('list')
    .description('list the items')
    .option('--json', 'print JSON', false)
    .action(async ({ json }) => {
      const rows = await withDatabase(terminal, ({ prisma }) => createItems({ prisma }).list())
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
