import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { type Environment, loadConfig } from '../src/config.ts'
import { importRecords } from '../src/import/import.ts'
import { createService } from '../src/service.ts'
import { openStore, type Store } from '../src/store.ts'

export const packageRoot = fileURLToPath(new URL('..', import.meta.url))
export const migrations = join(packageRoot, 'prisma/migrations')

/** A folder of its own for each test, gone afterwards. */
export async function temporaryFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'saleproof-'))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

export const ndjson = (records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

export async function* chunks(text: string) {
  yield Buffer.from(text)
}

export const load = (store: Store, records: readonly object[], now = () => new Date()) =>
  importRecords({
    source: chunks(ndjson(records)),
    databaseFile: store.databaseFile,
    vault: store.vault,
    now,
  })

interface ServiceSetup {
  records?: readonly object[]
  env?: Environment
  clock?: () => Date
}

/** The real service on a real database file, listening on a free port. `logs` are its log lines. */
export async function startService({ records = [], env = {}, clock = () => new Date() }: ServiceSetup = {}) {
  const { folder, remove } = await temporaryFolder()
  const config = loadConfig({ PORT: '0', ...env }, { cores: 1 })
  const logs: string[] = []
  const logger = pino({ level: 'info', base: null }, { write: (line: string) => void logs.push(line) })
  const store = await openStore({
    databaseUrl: 'file:./test.db',
    secret: undefined,
    cwd: folder,
    migrations,
    busyTimeoutMs: 50,
    clock,
    migrate: 'always',
  })
  if (records.length) await load(store, records, clock)
  const service = createService({ config, store, logger, clock })
  const url = await service.start()
  return {
    url,
    store,
    logs,
    load: (more: readonly object[]) => load(store, more, clock),
    async close() {
      await service.stop()
      await remove()
    },
  }
}

export type TestService = Awaited<ReturnType<typeof startService>>
