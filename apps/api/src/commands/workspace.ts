import { locales, shapes } from '@saleproof/schema'
import { type Command, Option } from 'commander'
import { createWorkspaces } from '../domain/workspaces.ts'
import { domainOptions, withDatabase } from './database.ts'
import { say, type Terminal } from './terminal.ts'

export function addWorkspace(program: Command, terminal: Terminal) {
  program
    .command('workspace')
    .description('manage workspaces')
    .command('create')
    .description('create a workspace for an account')
    .requiredOption('--owner <username>', 'the account that owns the workspace')
    .requiredOption('--slug <slug>', 'a short name, unique in the deployment')
    .requiredOption('--name <name>', 'the name that people see')
    .addOption(new Option('--shape <shape>', 'the default shape of items and purchases').choices(shapes))
    .addOption(new Option('--locale <locale>', 'the default language of messages').choices(locales))
    .action(async (options) => {
      await withDatabase(terminal, async (database) => {
        const { slug } = await createWorkspaces(domainOptions(terminal, database)).create(options)
        say(terminal, `created workspace ${slug}; "saleproof key create --workspace ${slug}" makes a key`)
      })
    })
}
