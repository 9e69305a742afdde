import { join } from 'node:path'
import { startPostgres } from '@saleproof/postgres'
import { type Context, databaseUrl } from '../context.ts'
import { dataSets } from '../data/data-sets.ts'
import { importDataSet } from '../data/prepare.ts'
import { execute } from '../data/prepare-postgres.ts'
import type { Options } from '../options.ts'
import { formatNumber, formatTable } from '../report/table.ts'
import { withRunDirectory } from '../run-directory.ts'
import { type CommandStats, runService } from '../service-command.ts'

/** As on a server for such a database; durability stays on. */
const settings = { shared_buffers: '1GB', max_wal_size: '4GB' }

/** Imports a data set into a file and PostgreSQL, and transfers it between the two. */
export function measureBulk(context: Context, { data }: Options): Promise<boolean> {
  const dataSet = data.includes('large') ? dataSets.large : dataSets.small
  return withRunDirectory(context, async ({ folder }) => {
    const server = await startPostgres({ settings })
    try {
      const file = join(folder, 'saleproof.db')
      const fileAgain = join(folder, 'again.db')
      const imported = server.url('imported')
      const transferred = server.url('transferred')
      await execute(server.url(), ['CREATE DATABASE imported', 'CREATE DATABASE transferred'])
      await runService(context, ['migrate'], { database: imported })
      const load = (database: string) => importDataSet(context, dataSet, database)
      const transfer = (from: string, to: string) =>
        runService(context, ['transfer', '--from', databaseUrl(from), '--to', databaseUrl(to)], {
          database: file,
        })
      const steps: Record<string, () => Promise<CommandStats>> = {
        'import into a file': () => load(file),
        'import into PostgreSQL': () => load(imported),
        'the same again, which changes nothing': () => load(imported),
        'transfer to PostgreSQL': () => transfer(file, transferred),
        'transfer to a file': () => transfer(transferred, fileAgain),
      }
      const rows: string[][] = []
      for (const [name, step] of Object.entries(steps)) {
        context.log(name)
        const { seconds, cpuSeconds, peakMegabytes } = await step()
        rows.push([name, ...[seconds, cpuSeconds, peakMegabytes].map(formatNumber)])
      }
      const head = [`${dataSet.purchases.toLocaleString('en')} purchases`, 'seconds', 'processor, s', 'MB']
      console.log(formatTable(head, rows))
      return true
    } finally {
      await server.remove()
    }
  })
}
