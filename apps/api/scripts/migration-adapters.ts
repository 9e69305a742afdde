import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaPg } from '@prisma/adapter-pg'
import {
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
} from '@prisma/driver-adapter-utils'
import pg from 'pg'

// Prisma's adapters are made for its client. What its schema engine asks for beside that, they do in another way or not at all.

/** The engine sends whole migrations to its shadow database as one query, which the driver refuses. */
function takingScripts(adapter: SqlDriverAdapter): SqlDriverAdapter {
  const executeRaw = adapter.executeRaw.bind(adapter)
  adapter.executeRaw = async (query: SqlQuery) => {
    if (query.args.length > 0) return executeRaw(query)
    await adapter.executeScript(query.sql)
    return 0
  }
  return adapter
}

export function sqliteFactory(url: string): SqlMigrationAwareDriverAdapterFactory {
  const inner = new PrismaBetterSqlite3({ url })
  return {
    provider: inner.provider,
    adapterName: inner.adapterName,
    connect: () => inner.connect(),
    connectToShadowDb: async () => takingScripts(await inner.connectToShadowDb()),
  }
}

/** The type "char" of the catalogue, which introspection reads and the adapter does not know (prisma/orm#27403). */
const charType = 18
const textType = 25

interface Fields {
  fields: { dataTypeID: number }[]
}

interface Queryable extends SqlDriverAdapter {
  performIO: (query: SqlQuery) => Promise<Fields>
}

/** Sends a script whole, because the adapter splits it at every `;`, those of a function's body included; and knows "char". */
function forIntrospection(adapter: SqlDriverAdapter, pool: pg.Pool): SqlDriverAdapter {
  // `performIO` is private in the types of the adapter.
  const queryable = adapter as Queryable
  queryable.executeScript = async (sql) => void (await pool.query(sql))
  const { queryRaw, performIO } = queryable
  queryable.queryRaw = async (query) => {
    const characters: number[] = []
    const reading = Object.assign<Queryable, Pick<Queryable, 'performIO'>>(Object.create(queryable), {
      async performIO(sent: SqlQuery) {
        const result = await performIO.call(queryable, sent)
        for (const [index, field] of result.fields.entries()) {
          if (field.dataTypeID !== charType) continue
          field.dataTypeID = textType
          characters.push(index)
        }
        return result
      },
    })
    const result = await queryRaw.call(reading, query)
    for (const index of characters) result.columnTypes[index] = ColumnTypeEnum.Character
    return result
  }
  return queryable
}

async function connect(url: string, disposed: () => Promise<void>) {
  const pool = new pg.Pool({ connectionString: url })
  const adapter = forIntrospection(await new PrismaPg(pool).connect(), pool)
  adapter.dispose = async () => {
    await pool.end()
    await disposed()
  }
  return adapter
}

/** The adapter's own shadow database is the database itself where an address is given, and it drops what is there. */
async function connectToShadow(url: string) {
  const admin = new pg.Client(url)
  await admin.connect()
  const name = `shadow_${crypto.randomUUID().replaceAll('-', '')}`
  await admin.query(`CREATE DATABASE ${name}`)
  const shadow = new URL(url)
  shadow.pathname = `/${name}`
  return connect(shadow.href, async () => {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.end()
  })
}

export const postgresFactory = (url: string): SqlMigrationAwareDriverAdapterFactory => ({
  provider: 'postgres',
  adapterName: '@prisma/adapter-pg',
  connect: () => connect(url, async () => {}),
  connectToShadowDb: () => connectToShadow(url),
})
