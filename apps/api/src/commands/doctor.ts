import type { Command } from 'commander'
import { createKeyVault } from '../crypto/key-vault.ts'
import { findSecret } from '../crypto/secret.ts'
import { databaseFile } from '../db/location.ts'
import { examine } from '../maintenance/doctor/doctor.ts'
import { migrationsFolder, readConfig } from './database.ts'
import { CommandError, countOption, type Terminal, write, writeTable } from './terminal.ts'

export function addDoctor(program: Command, terminal: Terminal) {
  const doctor = program
    .command('doctor')
    .description('check everything that the service needs, and give advice')
    .option(
      '--instances <n>',
      'how many instances share the PostgreSQL database, to compare its limits with',
      countOption,
      1,
    )
    .option('--json', 'print JSON', false)
    .action(async ({ instances, json }) => {
      const { env, cwd, cores, clock } = terminal
      const migrations = migrationsFolder(terminal)
      const findings = await examine({ env, cwd, cores, clock, migrations, instances })
      const columns = ['check', 'state', 'finding', 'advice'] as const
      await writeTable(terminal, findings, { json, columns })
      if (findings.some(({ state }) => state === 'problem')) throw new CommandError('')
    })

  doctor
    .command('request-id')
    .description('print what the logs contain for an X-Request-Id that a caller sent')
    .argument('<id>')
    .action(async (id) => {
      const { databaseUrl, secret: given } = readConfig(terminal)
      const secret = given ?? findSecret({ databaseFile: databaseFile(databaseUrl, terminal.cwd), given })
      if (secret === undefined) throw new CommandError('there is no secret yet: the service makes it')
      await write(terminal, `${createKeyVault(secret).hashRequestId(id)}\n`)
    })
}
