import { formatTimestamp, locales, shapes } from '@saleproof/schema'
import { type Command, Option } from 'commander'
import { createWorkspaces } from '../domain/workspaces.ts'
import { withDatabase } from './database.ts'
import { say, type Terminal, writeTable } from './terminal.ts'

export function addWorkspace(program: Command, terminal: Terminal) {
  const workspace = program.command('workspace').description('manage workspaces')
  workspace
    .command('create')
    .description('create a workspace for an account')
    .requiredOption('--owner <username>', 'the account that owns the workspace')
    .requiredOption('--slug <slug>', 'a short name, unique in the deployment')
    .requiredOption('--name <name>', 'the name that people see')
    .addOption(new Option('--shape <shape>', 'the default shape of items and purchases').choices(shapes))
    .addOption(new Option('--locale <locale>', 'the default language of messages').choices(locales))
    .action(async (options) => {
      await withDatabase(terminal, async (database) => {
        const { slug } = await createWorkspaces(database).create(options)
        say(terminal, `created workspace ${slug}; "saleproof key create --workspace ${slug}" makes a key`)
      })
    })

  workspace
    .command('list')
    .description('list all workspaces')
    .option('--json', 'print JSON', false)
    .action(async ({ json }) => {
      const rows = await withDatabase(terminal, (database) => createWorkspaces(database).list())
      const listed = rows.map(({ slug, name, account, createdAt }) => ({
        slug,
        name,
        owner: account.username,
        created: formatTimestamp(createdAt),
      }))
      await writeTable(terminal, listed, { json, columns: ['slug', 'name', 'owner', 'created'] })
    })
}
