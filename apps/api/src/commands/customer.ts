import type { Command } from 'commander'
import { createCustomerErasure } from '../domain/customers.ts'
import { requireWorkspace } from '../domain/workspaces.ts'
import { UserError } from '../user-error.ts'
import { withDatabase } from './database.ts'
import { say, sayWhatStays, type Terminal } from './terminal.ts'

export function addCustomer(program: Command, terminal: Terminal) {
  program
    .command('customer')
    .description('manage customers')
    .command('erase')
    .description('remove name, e-mail address, order and note of a customer from all purchases')
    .argument('<email>', 'the e-mail address of the customer')
    .option('--workspace <slug>', 'only in this workspace')
    .action(async (email: string, { workspace: slug }: { workspace?: string }) => {
      const { count, kind } = await withDatabase(terminal, async (database) => {
        const { prisma } = database
        if (slug !== undefined) await requireWorkspace(prisma, slug)
        const where = slug === undefined ? {} : { slug }
        const workspaces = await prisma.workspace.findMany({ where, select: { id: true } })
        const erase = createCustomerErasure(database)
        const ids = workspaces.map(({ id }) => id)
        return { count: await erase(ids, email), kind: database.place.kind }
      })
      if (count === 0) throw new UserError('no purchase has that e-mail address')
      say(terminal, `removed the customer from ${count} ${count === 1 ? 'purchase' : 'purchases'}`)
      sayWhatStays(terminal, kind, ['Purchase', 'PurchaseWord'])
    })
}
