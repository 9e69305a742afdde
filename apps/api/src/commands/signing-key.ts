import { formatTimestamp } from '@saleproof/schema'
import type { Command } from 'commander'
import { createSigningKeys, type SigningKeys } from '../domain/signing-keys.ts'
import { withDatabase } from './database.ts'
import { say, type Terminal, write, writeTable } from './terminal.ts'

export function addSigningKey(program: Command, terminal: Terminal) {
  const signingKey = program.command('signing-key').description('manage the keys that sign passes')
  const withKeys = <T>(act: (keys: SigningKeys) => Promise<T>) =>
    withDatabase(terminal, (database) => act(createSigningKeys(database)))

  signingKey
    .command('list')
    .description('list the signing keys of a workspace with their public keys, newest first')
    .requiredOption('--workspace <slug>', 'the workspace of the keys')
    .option('--json', 'print JSON', false)
    .action(async ({ workspace, json }) => {
      const rows = await withKeys((keys) => keys.list(workspace))
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
      const row = await withKeys((keys) => keys.rotate(workspace))
      say(
        terminal,
        `created signing key ${row.id} of workspace ${workspace}; the keys before it go on signing for programs that know only them:`,
      )
      await write(terminal, `${row.publicKey}\n`)
    })

  signingKey
    .command('retire <id>')
    .description('permanently end a leaked signing key: programs that know no other accept no code')
    .action(async (id) => {
      const { already } = await withKeys((keys) => keys.retire(id))
      say(terminal, already ? `signing key ${id} was already retired` : `retired signing key ${id}`)
    })
}
