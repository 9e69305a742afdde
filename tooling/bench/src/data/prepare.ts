import { createHash, hash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import Sqlite from 'better-sqlite3'
import type { Context } from '../context.ts'
import { runService } from '../service-command.ts'
import type { DataSet } from './data-sets.ts'
import { keyOf, recordsOf, slugOf } from './records.ts'

/** A data set as databases: paths of SQLite files, or PostgreSQL URLs. */
export interface Databases {
  /** As the service imported it. */
  service: string
  /** The same rows with keys found by a plain SHA-256: competitors do not have the service's secret. */
  competitors: string
  importSeconds: number
}

/** Changes with everything that decides what the databases hold. */
export function fingerprint({ home, api }: Context, dataSet: DataSet): string {
  const files = [
    ...globSync(`${api}/prisma/migrations*/*/migration.sql`).sort(),
    `${home}/src/data/records.ts`,
    `${home}/src/data/prepare.ts`,
  ]
  const digest = createHash('sha256').update(JSON.stringify(dataSet))
  for (const file of files) digest.update(readFileSync(file))
  return digest.digest('hex').slice(0, 12)
}

/** The NDJSON of a data set, in chunks of a good size for a stream. */
function* chunksOf(dataSet: DataSet): Generator<string> {
  let chunk = ''
  for (const record of recordsOf(dataSet)) {
    chunk += `${JSON.stringify(record)}\n`
    if (chunk.length > 1 << 18) {
      yield chunk
      chunk = ''
    }
  }
  if (chunk) yield chunk
}

export const importDataSet = (context: Context, dataSet: DataSet, database: string) =>
  runService(context, ['import', '-'], { database, input: Readable.from(chunksOf(dataSet)) })

/** Moves everything from the write-ahead log into the file, so that a copy of it is complete. */
const checkpoint = (database: Sqlite.Database) => database.pragma('wal_checkpoint(TRUNCATE)')

function changeKeys(file: string, dataSet: DataSet) {
  const database = new Sqlite(file)
  const update = database.prepare(
    'UPDATE "ApiKey" SET "keyHash" = ? WHERE "workspaceId" = (SELECT "id" FROM "Workspace" WHERE "slug" = ?)',
  )
  database.transaction(() => {
    for (let workspace = 0; workspace < dataSet.workspaces; workspace++)
      update.run(hash('sha256', keyOf(workspace), 'base64url'), slugOf(workspace))
  })()
  checkpoint(database)
  database.close()
}

async function build(context: Context, dataSet: DataSet, folder: string) {
  const service = join(folder, 'saleproof.db')
  const competitors = join(folder, 'competitors.db')
  context.log(`${dataSet.name}: importing`)
  const { seconds } = await importDataSet(context, dataSet, service)
  const database = new Sqlite(service)
  checkpoint(database)
  database.close()
  await copyFile(service, competitors)
  changeKeys(competitors, dataSet)
  writeFileSync(join(folder, 'import.json'), JSON.stringify({ importSeconds: seconds }))
}

/** The databases of a data set: cached by an earlier run, or made by the service's own import. */
export async function prepareDataSet(context: Context, dataSet: DataSet): Promise<Databases> {
  const folder = join(context.cache, `${dataSet.name}-${fingerprint(context, dataSet)}`)
  if (!existsSync(folder)) {
    const draft = `${folder}.draft`
    for (const outdated of globSync(join(context.cache, `${dataSet.name}-*`)))
      rmSync(outdated, { recursive: true })
    mkdirSync(draft, { recursive: true })
    await build(context, dataSet, draft)
    await rename(draft, folder)
  }
  const { importSeconds } = JSON.parse(readFileSync(join(folder, 'import.json'), 'utf8'))
  return {
    service: join(folder, 'saleproof.db'),
    competitors: join(folder, 'competitors.db'),
    importSeconds,
  }
}
