import { join } from 'node:path'
import { Readable } from 'node:stream'
import { startPostgres } from '@saleproof/postgres'
import pg from 'pg'
import type { Context } from '../context.ts'
import { dataSets } from '../data/data-sets.ts'
import { linesOf } from '../data/lines.ts'
import { allRecords } from '../data/prepare.ts'
import { type CommandFigures, timeCommand } from '../measure/timed-command.ts'
import type { Options } from '../options.ts'
import { formatNumber, formatTable } from '../report/table.ts'
import { runService } from '../run-service.ts'
import { withWorkplace } from '../workplace.ts'

/** As a server has them that is set up for such a database; nothing is given up for speed. */
const settings = { shared_buffers: '1GB', max_wal_size: '4GB' }

async function createDatabase(serverUrl: string, name: string) {
  const client = new pg.Client(serverUrl)
  await client.connect()
  await client.query(`CREATE DATABASE "${name}"`)
  await client.end()
}

interface Step {
  name: string
  run: () => Promise<CommandFigures>
}

/** How long it takes to load everything, and to move it from a file to PostgreSQL and back. */
export function measureBulk(context: Context, { data }: Options): Promise<boolean> {
  const dataSet = data.includes('large') ? dataSets.large : dataSets.small
  return withWorkplace(context, async ({ folder }) => {
    const server = await startPostgres({ settings })
    try {
      const [imported, moved] = ['imported', 'moved'].map(server.url) as [string, string]
      for (const name of ['imported', 'moved']) await createDatabase(server.url(), name)
      await runService(context, ['migrate'], imported)
      const [file, back] = ['saleproof.db', 'back.db'].map((name) => `file:${join(folder, name)}`) as [
        string,
        string,
      ]
      const load = (databaseUrl: string) => () =>
        timeCommand(context, {
          ...{ args: ['import', '-'], databaseUrl },
          input: Readable.from(linesOf(allRecords(dataSet))),
        })
      const move = (from: string, to: string) => () =>
        timeCommand(context, { args: ['transfer', '--from', from, '--to', to], databaseUrl: file })
      const steps: Step[] = [
        { name: 'import into a file', run: load(file) },
        { name: 'import into PostgreSQL', run: load(imported) },
        { name: 'the same again, which changes nothing', run: load(imported) },
        { name: 'transfer to PostgreSQL', run: move(file, moved) },
        { name: 'transfer to a file', run: move(moved, back) },
      ]
      const rows: string[][] = []
      for (const { name, run } of steps) {
        context.say(name)
        const { seconds, cpu, memory } = await run()
        rows.push([name, ...[seconds, cpu, memory].map(formatNumber)])
      }
      const head = [`${dataSet.purchases.toLocaleString('en')} purchases`, 'seconds', 'processor, s', 'MB']
      console.log(formatTable(head, rows))
      return true
    } finally {
      await server.remove()
    }
  })
}
