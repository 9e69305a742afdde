import { createHash, hash } from 'node:crypto'
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import Sqlite from 'better-sqlite3'
import type { Context } from '../context.ts'
import { runService } from '../service-command.ts'
import type { DataSet } from './data-sets.ts'
import { type BenchRecord, createRecords, workspaceKey, workspaceSlug } from './records.ts'

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

/** A line for each record of a data set, in chunks of a good size for a stream. */
function* serializeChunks(
  dataSet: DataSet,
  toLine: (record: BenchRecord) => string = (record) => `${JSON.stringify(record)}\n`,
): Generator<string> {
  let chunk = ''
  for (const record of createRecords(dataSet)) {
    chunk += toLine(record)
    if (chunk.length > 1 << 18) {
      yield chunk
      chunk = ''
    }
  }
  if (chunk) yield chunk
}

/** Writes the sales of a data set as a shop exports them. */
export async function writeSales(dataSet: DataSet, file: string) {
  const toRow = (record: BenchRecord) =>
    'purchase_code' in record
      ? `${record.purchase_code},${record.item},${record.license_type},${record.price},${record.currency},${record.date},${record.state}\n`
      : ''
  function* rows() {
    yield 'Code,Item ID,License,Price,Currency,Date,Status\n'
    yield* serializeChunks(dataSet, toRow)
  }
  await writeFile(file, rows())
}

export const importDataSet = (context: Context, dataSet: DataSet, database: string) =>
  runService(context, ['import', '-'], { database, input: Readable.from(serializeChunks(dataSet)) })

/** Gives each workspace a second key, found by a plain SHA-256: the baseline does not have the service's secret. */
export const baselineKeys = (dataSet: DataSet) =>
  Array.from(
    { length: dataSet.workspaces },
    (
      _,
      workspace,
    ) => `INSERT INTO "ApiKey" ("id", "workspaceId", "name", "keyHash", "keyCipher", "publishable", "createdAt")
      SELECT k."id" || '-bench', k."workspaceId", k."name", '${hash('sha256', workspaceKey(workspace), 'base64url')}', k."keyCipher", k."publishable", k."createdAt"
      FROM "ApiKey" k JOIN "Workspace" w ON w."id" = k."workspaceId" WHERE w."slug" = '${workspaceSlug(workspace)}'`,
  )

/** The file of a data set: cached by an earlier run, or made by the service's own import. */
export async function prepareDataSet(context: Context, dataSet: DataSet): Promise<string> {
  const file = join(context.cache, `${dataSet.name}-${fingerprint(context, dataSet)}.db`)
  if (existsSync(file)) return file
  for (const outdated of globSync(join(context.cache, `${dataSet.name}-*`)))
    rmSync(outdated, { recursive: true })
  const draft = `${file}.draft`
  context.log(`${dataSet.name}: importing`)
  await importDataSet(context, dataSet, draft)
  const database = new Sqlite(draft)
  for (const statement of baselineKeys(dataSet)) database.exec(statement)
  // Moves everything from the write-ahead log into the file, so that a copy of it is complete.
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
  await rename(draft, file)
  return file
}
