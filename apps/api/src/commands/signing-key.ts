import { formatTimestamp } from '@saleproof/schema'
import type { Command } from 'commander'
import { createSigningKeys } from '../domain/signing-keys.ts'
import type { OpenDatabase } from '../open-database.ts'
import { UserError } from '../user-error.ts'
import { domainOptions, withDatabase } from './database.ts'
import { say, type Terminal, write, writeTable } from './terminal.ts'

async function findWorkspace({ prisma }: OpenDatabase, slug: string): Promise<number> {
  const row = await prisma.workspace.findUnique({ where: { slug }, select: { id: true } })
  if (!row) throw new UserError(`there is no workspace ${slug}: "workspace list" shows them`)
  return row.id
}

export function addSigningKey(program: Command, terminal: Terminal) {
  const signingKey = program.command('signing-key').description('manage the keys that sign passes')
  const keysIn = (database: OpenDatabase) => createSigningKeys(domainOptions(terminal, database))

  signingKey
    .command('list')
    .description('list the signing keys of a workspace with their public keys, newest first')
    .requiredOption('--workspace <slug>', 'the workspace of the keys')
    .option('--json', 'print JSON', false)
    .action(async ({ workspace, json }) => {
      const rows = await withDatabase(terminal, async (database) =>
        keysIn(database).list(await findWorkspace(database, workspace)),
      )
      const listed = rows.map(({ id, publicKey, createdAt, retiredAt }) => ({
        id,
        public_key: publicKey,
        created: formatTimestamp(createdAt),
        retired: retiredAt && formatTimestamp(retiredAt),
      }))
      await writeTable(terminal, listed, { json, columns: ['id', 'public_key', 'created', 'retired'] })
    })

  signingKey
    .command('rotate')
    .description('create another signing key; print only its public key to standard output')
    .requiredOption('--workspace <slug>', 'the workspace of the key')
    .action(async ({ workspace }) => {
      const row = await withDatabase(terminal, async (database) =>
        keysIn(database).rotate(await findWorkspace(database, workspace)),
      )
      say(
        terminal,
        `created signing key ${row.id} of workspace ${workspace}; the keys before it go on signing for programs that know only them:`,
      )
      await write(terminal, `${row.publicKey}\n`)
    })

  signingKey
    .command('retire <id>')
    .description(
      'permanently end a signing key that has leaked: programs that know only that one accept no code',
    )
    .action(async (id) => {
      const { already } = await withDatabase(terminal, (database) => keysIn(database).retire(id))
      say(terminal, already ? `signing key ${id} was already retired` : `retired signing key ${id}`)
    })
}
