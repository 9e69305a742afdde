import { createHash, hash } from 'node:crypto'
import {
  createWriteStream,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { copyFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import Sqlite from 'better-sqlite3'
import type { Context } from '../context.ts'
import type { DataSet } from './data-sets.ts'
import { importFile } from './import.ts'
import { linesOf } from './lines.ts'
import { catalogRecords, keyOf, purchaseRecords, slugOf } from './records.ts'

/** A data set as databases on the disk. */
export interface Databases {
  /** As the service imported it. */
  service: string
  /** The same rows, with keys found by a plain SHA-256: the peers have not the service's secret. */
  peers: string
  importSeconds: number
}

/** Changes with whatever decides what the databases hold. */
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

export function* allRecords(dataSet: DataSet) {
  yield* catalogRecords(dataSet)
  yield* purchaseRecords(dataSet)
}

/** Puts everything into the one file, so that a copy of it is whole. */
export function foldLog(file: string) {
  const database = new Sqlite(file)
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
}

/** Copies a database for the peers, with each key found by its own plain hash. */
export async function copyForPeers(service: string, peers: string, dataSet: DataSet) {
  await copyFile(service, peers)
  const database = new Sqlite(peers)
  const update = database.prepare(
    'UPDATE "ApiKey" SET "keyHash" = ? WHERE "workspaceId" = (SELECT "id" FROM "Workspace" WHERE "slug" = ?)',
  )
  database.transaction(() => {
    for (let workspace = 0; workspace < dataSet.workspaces; workspace++) {
      update.run(hash('sha256', keyOf(workspace), 'base64url'), slugOf(workspace))
    }
  })()
  database.close()
  foldLog(peers)
}

async function build(context: Context, dataSet: DataSet, folder: string) {
  const records = join(folder, 'records.ndjson')
  context.say(`${dataSet.name}: writing ${records}`)
  await pipeline(Readable.from(linesOf(allRecords(dataSet))), createWriteStream(records))
  const service = join(folder, 'saleproof.db')
  context.say(`${dataSet.name}: importing it`)
  const importSeconds = await importFile(context, { records, database: service })
  foldLog(service)
  await copyForPeers(service, join(folder, 'peers.db'), dataSet)
  writeFileSync(join(folder, 'import.json'), JSON.stringify({ importSeconds }))
}

/** The databases of a data set, made by the service's own import unless an earlier run left them. */
export async function prepareDataSet(context: Context, dataSet: DataSet): Promise<Databases> {
  const folder = join(context.cache, `${dataSet.name}-${fingerprint(context, dataSet)}`)
  if (!existsSync(folder)) {
    const draft = `${folder}.draft`
    for (const outdated of globSync(join(context.cache, `${dataSet.name}-*`))) {
      rmSync(outdated, { recursive: true })
    }
    mkdirSync(draft, { recursive: true })
    await build(context, dataSet, draft)
    await rename(draft, folder)
  }
  const { importSeconds } = JSON.parse(readFileSync(join(folder, 'import.json'), 'utf8'))
  return { service: join(folder, 'saleproof.db'), peers: join(folder, 'peers.db'), importSeconds }
}
