import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { type Context, databaseUrl } from '../context.ts'
import { dataSets, threeYears } from '../data/data-sets.ts'
import { importDataSet, writeSales } from '../data/prepare.ts'
import { createDatabase, execute, withPostgres } from '../data/prepare-postgres.ts'
import type { Options } from '../options.ts'
import { formatNumber, formatTable } from '../report/table.ts'
import { withRunDirectory } from '../run-directory.ts'
import { type CommandStats, runService } from '../service-command.ts'

/** The bytes of a file for each sale of three years, with all indexes and totals. */
async function measureSale(context: Context, folder: string) {
  const file = join(folder, 'three-years.db')
  context.log('the size of a sale')
  await importDataSet(context, threeYears, file)
  const database = new Sqlite(file, { readonly: true })
  const bytes = ['page_count', 'page_size'].reduce(
    (product, name) => product * Number(database.pragma(name, { simple: true })),
    1,
  )
  database.close()
  console.log(`${Math.round(bytes / threeYears.purchases)} bytes a sale in a file`)
}

/** Imports a data set into a file and PostgreSQL, transfers it from one to the other, and measures what a sale takes in a file. */
export function measureBulk(context: Context, { data }: Options): Promise<boolean> {
  const dataSet = data.includes('large') ? dataSets.large : dataSets.small
  return withRunDirectory(context, ({ folder }) =>
    withPostgres(context, async (server) => {
      const file = join(folder, 'saleproof.db')
      const imported = await createDatabase(server, 'imported')
      const transferred = await createDatabase(server, 'transferred')
      await runService(context, ['migrate'], { database: imported })
      const [sales, salesFile] = [join(folder, 'sales.db'), join(folder, 'sales.csv')]
      await writeSales(dataSet, salesFile)
      await importDataSet(context, { ...dataSet, purchases: 0 }, sales)
      const load = (database: string) => importDataSet(context, dataSet, database)
      const steps: Record<string, () => Promise<CommandStats>> = {
        'import into a file': () => load(file),
        'import the sales of a CSV file': () =>
          runService(context, ['import', '--from', 'none', salesFile], { database: sales }),
        'import into PostgreSQL': () => load(imported),
        'the same again, which changes nothing': () => load(imported),
        'transfer to PostgreSQL': () =>
          runService(context, ['transfer', '--from', databaseUrl(file)], { database: transferred }),
      }
      const rows: string[][] = []
      for (const [name, step] of Object.entries(steps)) {
        context.log(name)
        const { seconds, cpuSeconds, peakMegabytes } = await step()
        rows.push([name, ...[seconds, cpuSeconds, peakMegabytes].map(formatNumber)])
      }
      const head = [`${dataSet.purchases.toLocaleString('en')} purchases`, 'seconds', 'processor, s', 'MB']
      console.log(formatTable(head, rows))
      await measureSale(context, folder)
      await execute(server.url(), ['DROP DATABASE imported', 'DROP DATABASE transferred'])
      return true
    }),
  )
}
