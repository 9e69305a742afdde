import { formatTimestamp } from '@saleproof/schema'
import type { Command } from 'commander'
import { createPurchaseRemoval } from '../domain/purchase-removal.ts'
import { createPurchases, shownFields } from '../domain/purchases.ts'
import { requireWorkspace } from '../domain/workspaces.ts'
import { createForgetPurchase } from '../usage/forget-purchase.ts'
import { purchaseRef } from '../usage/purchase-use.ts'
import { UserError } from '../user-error.ts'
import { type ForCommand, withDatabase } from './database.ts'
import { readCode } from './password.ts'
import { CommandError, say, sayWhatStays, type Terminal, writeTable } from './terminal.ts'

/** What is known of the purchases with a code, without the code. */
async function findPurchases({ prisma, usage }: ForCommand, code: string, workspace: string | undefined) {
  if (workspace !== undefined) await requireWorkspace(prisma, workspace)
  const rows = await createPurchases({ prisma }).everywhere(code, workspace)
  const presented = rows.map(async ({ workspaceId, workspace, name, fields }) => {
    const use = await usage.purchaseUse(purchaseRef(workspaceId, code))
    return {
      workspace,
      name,
      ...fields,
      validations: use?.count ?? 0,
      last_validated: use ? formatTimestamp(new Date(use.lastAt)) : null,
    }
  })
  return Promise.all(presented)
}

const columns = ['workspace', 'name', ...shownFields, 'validations', 'last_validated']

export function addPurchase(program: Command, terminal: Terminal) {
  const purchase = program.command('purchase').description('manage purchases')

  purchase
    .command('show')
    .description('show a purchase; read its code from a prompt or standard input')
    .option('--workspace <slug>', 'only where it is of this workspace')
    .option('--json', 'print JSON', false)
    .action(async ({ workspace, json }) => {
      const code = await readCode(terminal)
      if (code === '') throw new CommandError('no purchase code was given', 2)
      const rows = await withDatabase(terminal, (database) => findPurchases(database, code, workspace))
      if (rows.length === 0) throw new UserError('there is no purchase with that code')
      await writeTable(terminal, rows, { json, columns })
    })

  purchase
    .command('remove')
    .description('permanently remove a purchase; read its code from a prompt or standard input')
    .requiredOption('--workspace <slug>', 'the workspace of the purchase')
    .action(async ({ workspace: slug }: { workspace: string }) => {
      const code = await readCode(terminal)
      const kind = await withDatabase(terminal, async (database) => {
        const workspaceId = await requireWorkspace(database.prisma, slug)
        const remove = createPurchaseRemoval({
          ...database,
          forget: createForgetPurchase({ ...database, store: database.usage }),
        })
        if (!(await remove(workspaceId, code)))
          throw new UserError(`workspace ${slug} has no purchase with that code`)
        return database.place.kind
      })
      say(terminal, `removed the purchase from workspace ${slug}`)
      sayWhatStays(terminal, kind, ['Purchase', 'PurchaseChange', 'PurchaseUse', 'FailedCode'])
    })
}
