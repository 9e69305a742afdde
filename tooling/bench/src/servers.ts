import { benchSecret, type Context, databaseUrl } from './context.ts'

export interface ServerDefinition {
  name: string
  /** Whether it is the service, which writes to its database and so gets a copy of its own. */
  isService: boolean
  command: (context: Context) => string[]
  env: (database: string, port: number) => Record<string, string>
}

/** A limit that no load reaches: raised and not off, so that the cost of counting is measured. */
const highLimit = '999999999/60'

const baseline: ServerDefinition = {
  name: 'baseline',
  isService: false,
  command: ({ node, home }) => [node, `${home}/dist/baseline.mjs`],
  env: (database, port) => ({ DATABASE: database, PORT: String(port) }),
}

interface ServiceOptions {
  /** The folder of another build of the service. */
  api?: string
  env?: Record<string, string>
}

export const service = (name: string, { api, env }: ServiceOptions = {}): ServerDefinition => ({
  name,
  isService: true,
  command: (context) => [context.node, `${api ?? context.api}/bin/saleproof.js`, 'serve'],
  env: (database, port) => ({
    DATABASE_URL: databaseUrl(database),
    PORT: String(port),
    SALEPROOF_SECRET: benchSecret,
    SALEPROOF_SHAPE: 'extended',
    SALEPROOF_RATE_LIMIT: highLimit,
    SALEPROOF_FAILURE_LIMIT: highLimit,
    METRICS_TOKEN: 'token-of-the-bench',
    WEB_CONCURRENCY: '1',
    ...env,
  }),
})

/** The baseline comes first: every rate is a multiple of its rate. */
export const servers: readonly ServerDefinition[] = [
  baseline,
  service('saleproof'),
  service('saleproof-2', { env: { WEB_CONCURRENCY: '2' } }),
  service('saleproof-off', { env: { SALEPROOF_FAST_PATH: 'off' } }),
]

/** Two builds of the service; the old one is the baseline. */
export const buildServers = (old: string, current: string): readonly ServerDefinition[] => [
  service('old', { api: `${old}/apps/api` }),
  service('new', { api: `${current}/apps/api` }),
]
