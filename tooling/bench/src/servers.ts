import { addressOf, benchSecret, type Context, serviceEntry } from './context.ts'
import type { Databases } from './data/prepare.ts'

/** A limit that no load reaches: raised, not off, so that what counting costs is in the figures. */
const highLimit = '999999999/60'

export interface ServerDefinition {
  name: string
  /** Whether it is the service itself, which writes to its database. */
  service: boolean
  command: (context: Context) => string[]
  env: (databases: Databases, port: number) => Record<string, string>
}

const peer = (name: string): ServerDefinition => ({
  name,
  service: false,
  command: ({ node, home }) => [node, `${home}/dist/${name}.mjs`],
  env: ({ peers }, port) => ({ DATABASE_FILE: peers, PORT: String(port) }),
})

export const service = (name: string, extra: Record<string, string> = {}): ServerDefinition => ({
  name,
  service: true,
  command: (context) => [context.node, serviceEntry(context), 'serve'],
  env: ({ service: file }, port) => ({
    DATABASE_URL: addressOf(file),
    PORT: String(port),
    SALEPROOF_SECRET: benchSecret,
    SALEPROOF_SHAPE: 'extended',
    SALEPROOF_RATE_LIMIT: highLimit,
    SALEPROOF_FAILURE_LIMIT: highLimit,
    METRICS_TOKEN: 'token-of-the-bench',
    WEB_CONCURRENCY: '1',
    ...extra,
  }),
})

/** The floor first: everything is a multiple of it. */
export const servers: readonly ServerDefinition[] = [
  peer('floor'),
  peer('fastify-sqlite'),
  peer('fastify-drizzle'),
  peer('koa-prisma'),
  service('saleproof'),
  service('saleproof-off', { SALEPROOF_FAST_PATH: 'off' }),
]

/** The same on PostgreSQL, with a floor of its own. */
export const postgresServers: readonly ServerDefinition[] = [
  peer('floor-postgres'),
  service('saleproof-postgres'),
  service('saleproof-postgres-off', { SALEPROOF_FAST_PATH: 'off' }),
]

export const floorName = 'floor'
export const postgresServerNames = postgresServers.map(({ name }) => name)
export const serverNames = servers.map(({ name }) => name)
/** `--quick` has no time for all of them: the best of the peers stands for the others. */
export const quickServerNames = ['floor', 'fastify-sqlite', 'saleproof']
