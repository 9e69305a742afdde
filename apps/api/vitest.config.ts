import { defineConfig } from 'vitest/config'

const filesOf = (names: readonly string[]) => names.map((name) => `test/${name}.test.ts`)

/** What is about PostgreSQL alone. */
const [postgresqlUnits, postgresqlTests] = ['src/**/postgres/*.test.ts', 'test/postgresql/*.test.ts']

/** What starts the service as a process of its own, or sets the fast path itself: once on each database is enough. */
const setsItsFastPath = filesOf([
  ...['abuse', 'accounts', 'admin-import', 'audit', 'cache-metrics', 'canaries', 'canaries-console', 'cli'],
  ...['cli-failures', 'console-exports', 'console-keys', 'console-pages', 'console-processes'],
  ...['console-purchases', 'console-session', 'exactness', 'fuzz', 'fast-path-same-bytes', 'limits'],
  ...['limits-of-routes', 'metrics', 'monitoring', 'processes', 'redis', 'serve', 'served-files', 'tracing'],
])

/** What starts no service with a database. */
const withoutDatabase = filesOf(['config', 'docs'])

/** What waits for time to pass on connections, long before a database hears of a request. */
const ofConnections = filesOf(['slow-connections'])

/**
 * What is about an SQLite file, its secret, its copies or its log beside it. What it promises of PostgreSQL as well is tested by the
 * tests of that:
 *
 * - backup, audit-of-backups: copies are the business of the server there, and commands.test.ts sees that the commands say so;
 *   transfer.test.ts moves a deployment, and its audit log, without loss
 * - doctor, start-failures: commands.test.ts, and src/db/postgres/migrate.test.ts
 * - secret: src/crypto/postgres/rotate-secret.test.ts, and roles.test.ts by the command
 * - triggers: test/postgresql/triggers.test.ts
 * - faults: faults.test.ts, failover.test.ts, pgbouncer.test.ts, and import.test.ts of an import that is cut off
 */
const ofSqliteFiles = [
  ...filesOf(['audit-of-backups', 'backup', 'doctor', 'secret', 'start-failures', 'triggers']),
  'test/faults/*.test.ts',
]

const notOnPostgres = [...withoutDatabase, ...ofConnections, ...ofSqliteFiles]
const once = [...setsItsFastPath, ...notOnPostgres]

/** The tests of the service, with or without its fast path: both have to answer the same. */
const service = (name: string, fastPath: 'on' | 'off') => ({
  extends: true as const,
  test: {
    name,
    include: ['test/**/*.test.ts'],
    exclude: [...once, postgresqlTests],
    env: { SALEPROOF_FAST_PATH: fastPath },
  },
})

export default defineConfig({
  resolve: { conditions: ['@saleproof/source', 'node', 'development|production'] },
  ssr: { resolve: { conditions: ['@saleproof/source', 'node', 'development|production'] } },
  test: {
    setupFiles: ['./vitest.seed.mjs'],
    expect: { poll: { timeout: 20_000 } },
    // Whole-app tests start processes: on a machine that does other things as well, each takes a second.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Much of a test is waiting for a process or for time to pass.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: { name: 'once', include: ['src/**/*.test.ts', ...once], exclude: [postgresqlUnits] },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [postgresqlUnits, 'test/**/*.test.ts'],
          exclude: notOnPostgres,
          globalSetup: './test/postgres-server.ts',
          env: { SALEPROOF_FAST_PATH: 'on' },
        },
      },
      service('hot', 'on'),
      service('prisma', 'off'),
    ],
    reporters: process.env.CI ? ['default', ['json', { outputFile: '.test/results.json' }]] : ['default'],
  },
})
