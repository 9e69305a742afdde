import type { ImportProblem } from '@saleproof/schema/console'
import { type DumpOptions, readMarketbob } from '../import-export/sql-dump/marketbob.ts'
import { openTwice } from './import-sales.ts'
import type { Terminal } from './terminal.ts'

/** The dump of a shop's database as the lines of an import. */
export async function openDump(
  terminal: Terminal,
  file: string,
  flags: Pick<DumpOptions, 'baseUrl' | 'currency' | 'timeZone'>,
) {
  const openFile = await openTwice(terminal, file)
  const open = () => openFile().source
  const omitted: DumpOptions['omitted'] = new Map()
  return {
    omitted,
    async *source() {
      for await (const records of readMarketbob({ ...flags, open, omitted }))
        yield Buffer.from(records.map(({ record }) => `${JSON.stringify(record)}\n`).join(''))
    },
    /** Where lines of the import come from: they are read again up to the last one that is asked for. */
    async locate(problems: readonly ImportProblem[]): Promise<Map<number, string>> {
      const places = new Map(problems.map(({ line }) => [line, '']))
      const last = Math.max(...places.keys())
      let number = 0
      for await (const records of readMarketbob({ ...flags, open, omitted: new Map() })) {
        for (const { row } of records) {
          number += 1
          if (places.has(number))
            places.set(number, `line ${row.line}: table ${row.table}, id ${row.values.id}`)
        }
        if (number >= last) break
      }
      return places
    },
  }
}
