import { type Command, InvalidArgumentError } from 'commander'
import { createItemRemoval } from '../domain/item-removal.ts'
import { recorderOf, withDatabase } from './database.ts'
import { say, type Terminal } from './terminal.ts'

function itemId(text: string): bigint {
  if (!/^[1-9]\d{0,15}$/.test(text))
    throw new InvalidArgumentError('It takes the id of an item, such as 101.')
  return BigInt(text)
}

export function addItem(program: Command, terminal: Terminal) {
  const item = program.command('item').description('manage items')
  item
    .command('remove')
    .description('permanently remove an item')
    .argument('<id>', 'the id of the item', itemId)
    .option('--with-purchases', 'also remove its purchases', false)
    .action(async (id: bigint, { withPurchases }) => {
      const { purchases } = await withDatabase(terminal, (database) =>
        createItemRemoval({ prisma: database.prisma, record: recorderOf(terminal, database) })(id, {
          withPurchases,
        }),
      )
      say(terminal, `removed item ${id}${purchases ? ` and ${purchases} purchases` : ''}`)
    })
}
