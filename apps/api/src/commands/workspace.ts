import { locales, shapes } from '@saleproof/schema'
import { type Command, Option } from 'commander'
import { transactionsOn } from '../db/prisma.ts'
import { createWorkspaces } from '../domain/workspaces.ts'
import { recorderOf, withDatabase } from './database.ts'
import { say, type Terminal } from './terminal.ts'

export function addWorkspace(program: Command, terminal: Terminal) {
  const workspace = program.command('workspace').description('manage workspaces')
  workspace
    .command('create')
    .description('make a workspace of an account')
    .requiredOption('--owner <username>', 'the account that owns it')
    .requiredOption('--slug <slug>', 'its short name, unique in the deployment')
    .requiredOption('--name <name>', 'its name for people')
    .addOption(new Option('--shape <shape>', 'its default shape of items and purchases').choices(shapes))
    .addOption(new Option('--locale <locale>', 'its default language of messages').choices(locales))
    .action(async (options) => {
      await withDatabase(terminal, async (database) => {
        const [{ prisma }, { clock }] = [database, terminal]
        const workspaces = createWorkspaces({
          ...{ prisma, clock },
          write: transactionsOn(prisma),
          record: recorderOf(terminal, database),
        })
        const { slug } = await workspaces.create(options)
        say(
          terminal,
          `made workspace ${slug}; make a key for it with: saleproof key create --workspace ${slug}`,
        )
      })
    })
}
