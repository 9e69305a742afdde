import type { Command } from 'commander'
import { examine } from '../maintenance/doctor/doctor.ts'
import { migrationsFolder } from './database.ts'
import { CommandError, type Terminal, writeTable } from './terminal.ts'

export function addDoctor(program: Command, terminal: Terminal) {
  program
    .command('doctor')
    .description('check configuration, database, migrations, secret and disk, and give advice')
    .option('--json', 'print JSON', false)
    .action(async ({ json }) => {
      const { env, cwd, cores, clock } = terminal
      const findings = await examine({ env, cwd, cores, clock, migrations: migrationsFolder(terminal) })
      const columns = ['check', 'state', 'finding', 'advice'] as const
      await writeTable(terminal, findings, { json, columns })
      if (findings.some(({ state }) => state === 'problem')) throw new CommandError('')
    })
}
