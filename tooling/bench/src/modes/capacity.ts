import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { measureDatabase } from '../capacity/measure.ts'
import { recordedCost } from '../capacity/recorded.ts'
import type { Context } from '../context.ts'
import type { Options } from '../options.ts'
import { formatCapacity } from '../report/capacity.ts'

/** What growth needs, computed from what was recorded; what the database costs is measured anew when asked for. */
export async function capacity(context: Context, { measure }: Options): Promise<boolean> {
  const results = join(context.home, 'results')
  if (measure) {
    const cost = await measureDatabase(context)
    writeFileSync(join(results, 'capacity.json'), `${JSON.stringify(cost, null, 2)}\n`)
  }
  console.log(formatCapacity(recordedCost(results)))
  return true
}
