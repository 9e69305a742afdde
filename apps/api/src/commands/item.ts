import { formatTimestamp } from '@saleproof/schema'
import type { Command } from 'commander'
import { createItemRemoval } from '../domain/item-removal.ts'
import { createItems } from '../domain/items.ts'
import { withDatabase } from './database.ts'
import { itemIdOption, say, type Terminal, writeTable } from './terminal.ts'

export function addItem(program: Command, terminal: Terminal) {
  const item = program.command('item').description('manage items')

  item
    .command('list')
    .description('list the items')
    .option('--json', 'print JSON', false)
    .action(async ({ json }) => {
      const rows = await withDatabase(terminal, (database) => createItems(database).list())
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
    .argument('<id>', 'the id of the item', itemIdOption)
    .option('--with-purchases', 'also remove its purchases', false)
    .action(async (id: number, { withPurchases }) => {
      const { purchases } = await withDatabase(terminal, (database) =>
        createItemRemoval(database)(BigInt(id), { withPurchases }),
      )
      say(terminal, `removed item ${id}${purchases ? ` and ${purchases} purchases` : ''}`)
    })
}
