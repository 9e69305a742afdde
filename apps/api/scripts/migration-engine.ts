import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
} from '@prisma/driver-adapter-utils'
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg'
import { postgresFactory, sqliteFactory } from './migration-adapters.ts'
import { type Provider, schemaFor } from './prisma-schema.ts'

// Prisma's schema engine as WebAssembly, for contributors alone: it writes the next migration and says whether the migrations give
// the schema. Nothing that is served or installed needs it.

// Its types come with those of a browser, which nothing here is.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: { __wbindgen_start: () => void } }
}

let instantiated = false

function instantiate() {
  if (instantiated) return
  const script = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg')
  const module = new WebAssembly.Module(readFileSync(script.replace(/\.js$/, '.wasm')))
  const { exports } = new WebAssembly.Instance(module, { './schema_engine_bg.js': engineModule })
  engineModule.__wbg_set_wasm(exports)
  exports.__wbindgen_start()
  // A panic inside has its message only here.
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: { set_message: (text: string) => console.error(text) },
  })
  instantiated = true
}

/** The engine asks for the text of a partial index by a name in double quotes, which SQLite as it is built here takes for a column. */
function takingNames(adapter: SqlDriverAdapter): SqlDriverAdapter {
  const queryRaw = adapter.queryRaw.bind(adapter)
  adapter.queryRaw = (query: SqlQuery) =>
    queryRaw({ ...query, sql: query.sql.replace(/(type = 'index' AND name = )"(\w+)"/, "$1'$2'") })
  return adapter
}

/** `engine.free()` closes no connection: they are remembered and closed here. */
function tracked(inner: SqlMigrationAwareDriverAdapterFactory) {
  const open: SqlDriverAdapter[] = []
  const track = async (connecting: Promise<SqlDriverAdapter>) => {
    const adapter = takingNames(await connecting)
    open.push(adapter)
    return adapter
  }
  const factory: SqlMigrationAwareDriverAdapterFactory = {
    provider: inner.provider,
    adapterName: inner.adapterName,
    connect: () => track(inner.connect()),
    connectToShadowDb: () => track(inner.connectToShadowDb()),
  }
  return {
    bound: bindMigrationAwareSqlAdapterFactory(factory),
    close: () => Promise.allSettled(open.map((adapter) => adapter.dispose())),
  }
}

/** The migrations of a folder, as the engine takes them. */
export function migrationsList(folder: string, provider: Provider) {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const read = (path: string) => readFileSync(join(folder, path, 'migration.sql'), 'utf8')
  return {
    baseDir: folder,
    lockfile: { path: 'migration_lock.toml', content: `provider = "${provider}"\n` },
    shadowDbInitScript: '',
    migrationDirectories: names
      .map(({ name }) => name)
      .sort()
      .map((path) => ({
        path,
        migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: read(path) } },
      })),
  }
}

export type Engine = engineModule.SchemaEngine

/** Runs something with an engine for one of the databases. */
export async function withEngine<T>(provider: Provider, url: string, act: (engine: Engine) => Promise<T>) {
  instantiate()
  const { bound, close } = tracked(provider === 'sqlite' ? sqliteFactory(url) : postgresFactory(url))
  const datamodels: [string, string][] = [['schema.prisma', schemaFor(provider)]]
  const engine = await engineModule.SchemaEngine.new({ datamodels }, () => {}, bound)
  try {
    return await act(engine)
  } finally {
    engine.free()
    await close()
  }
}

/** What no model is made of: in SQLite what traffic leaves behind has a file of its own. */
const tablesWithoutModel: Readonly<Record<Provider, readonly string[]>> = {
  sqlite: [],
  postgresql: [
    'KeyUse',
    'FailedCode',
    'KeyAddress',
    'Counts',
    'CountsWritten',
    'PurchaseUse',
    'KnownCode',
    'ItemRemoval',
  ].map((name) => `public.${name}`),
}

/**
 * The SQL that takes the migrations of a folder to the schema, or undefined where they give it already. `url` is that of any database
 * of a PostgreSQL server: nothing is done to it, others are made beside it and removed.
 */
export async function missingMigration(
  provider: Provider,
  folder: string,
  url = ':memory:',
): Promise<string | undefined> {
  return withEngine(provider, url, async (engine) => {
    // The types of the parameters lack `shadowDatabaseUrl`.
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'migrations', ...migrationsList(folder, provider) },
      to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: schemaFor(provider) }] },
      script: true,
      exitCode: true,
      shadowDatabaseUrl: null,
      filters: { externalTables: tablesWithoutModel[provider], externalEnums: [] },
    } as never)
    return exitCode === 2 ? (stdout ?? '') : undefined
  })
}
