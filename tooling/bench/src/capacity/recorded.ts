import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Report } from '../report/report.ts'
import type { Cost, DatabaseCost } from './cost.ts'

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

/** The costs in a folder of results: of the service as the whole bench recorded it, of the database as `--measure` did. */
export function recordedCost(results: string): Cost {
  const database: DatabaseCost = readJson(join(results, 'capacity.json'))
  const { dataSets }: Report = readJson(join(results, 'recorded.json'))
  const service = dataSets.large?.cells.validate?.saleproof
  if (!service) throw new Error('recorded.json has no validations of the large data set')
  return { ...database, serviceMicroseconds: service.cpuMicroseconds }
}
