import type { Command } from 'commander'
import { examine } from '../maintenance/doctor/doctor.ts'
import { migrationsFolder } from './database.ts'
import { CommandError, countOption, type Terminal, writeTable } from './terminal.ts'

export function addDoctor(program: Command, terminal: Terminal) {
  program
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
}
