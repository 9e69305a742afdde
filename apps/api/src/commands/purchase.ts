import type { Command } from 'commander'
import { createPurchaseRemoval } from '../domain/purchase-removal.ts'
import { createForgetPurchase } from '../usage/forget-purchase.ts'
import { UserError } from '../user-error.ts'
import { domainOptions, withDatabase } from './database.ts'
import { readCode } from './password.ts'
import { say, type Terminal } from './terminal.ts'

export function addPurchase(program: Command, terminal: Terminal) {
  program
    .command('purchase')
    .description('manage purchases')
    .command('remove')
    .description('permanently remove a purchase; read its code from a prompt or standard input')
    .requiredOption('--workspace <slug>', 'the workspace of the purchase')
    .action(async ({ workspace: slug }: { workspace: string }) => {
      const code = await readCode(terminal)
      const kind = await withDatabase(terminal, async (database) => {
        const { prisma, kind, usage, vault } = database
        const found = await prisma.purchase.findFirst({
          where: { code, item: { workspace: { slug } } },
          select: { workspaceId: true },
        })
        const remove = createPurchaseRemoval({
          ...domainOptions(terminal, database),
          forget: createForgetPurchase({ store: usage, vault, now: terminal.now }),
        })
        if (!found || !(await remove(found.workspaceId, code)))
          throw new UserError(`workspace ${slug} has no purchase with that code`)
        return kind
      })
      say(terminal, `removed the purchase from workspace ${slug}`)
      if (kind === 'postgresql')
        say(
          terminal,
          'its bytes stay in the files of the server until their space is used again: VACUUM FULL "Purchase", "PurchaseChange", "PurchaseUse", "FailedCode" erases them when no older transaction is open, while validations wait',
        )
      say(terminal, 'older backups, exports and copies of the database still contain it')
    })
}
