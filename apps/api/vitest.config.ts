import { defineConfig } from 'vitest/config'

/** What does not start the service, starts it as a process of its own, or sets the hot path itself. */
const once = [
  ...['abuse', 'accounts', 'admin-import', 'audit', 'audit-of-backups', 'backup', 'cache-metrics', 'doctor'],
  ...[
    'cli',
    'canaries',
    'cli-failures',
    'config',
    ...['canaries-console', 'console-exports', 'console-keys', 'console-pages', 'console-processes'],
    ...['console-purchases', 'console-session'],
    'docs',
    'exactness',
    'fuzz',
    'hot-path-same-bytes',
    'limits',
    'limits-of-routes',
    'metrics',
    'monitoring',
    'processes',
    'redis',
    'serve',
    'served-files',
    'tracing',
    'slow-connections',
    'start-failures',
  ],
  ...['secret', 'triggers'],
]
  .map((name) => `test/${name}.test.ts`)
  .concat('test/faults/*.test.ts')

/** What is about PostgreSQL alone. */
const postgresql = 'src/**/postgresql/*.test.ts'

/** The whole-app tests that run on PostgreSQL as well; the others follow as they are made fit for it. */
const onPostgres = [
  ...['hot-path-same-bytes', 'get-account', 'get-item', 'list-items', 'validate-purchase', 'isolation'],
  ...['conditional', 'order-of-checks', 'last-use'],
  ...['accounts', 'admin-import', 'cli', 'cli-failures', 'clock', 'console-keys', 'console-overview'],
  ...['console-purchases', 'console-session', 'failures', 'properties', 'statistics'],
]
  .map((name) => `test/${name}.test.ts`)
  .concat('test/postgresql/*.test.ts')

/** The tests of the service, with or without its hot path: both have to answer the same. */
const service = (name: string, hotPath: 'on' | 'off') => ({
  extends: true as const,
  test: {
    name,
    include: ['test/**/*.test.ts'],
    exclude: [...once, 'test/postgresql/*.test.ts'],
    env: { SALEPROOF_HOT_PATH: hotPath },
  },
})

export default defineConfig({
  resolve: { conditions: ['@saleproof/source', 'node', 'development|production'] },
  ssr: { resolve: { conditions: ['@saleproof/source', 'node', 'development|production'] } },
  test: {
    setupFiles: ['./vitest.seed.mjs'],
    // Whole-app tests start processes: on a machine that does other things as well, each takes a second.
    testTimeout: 30_000,
    // Much of a test is waiting for a process or for time to pass.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: { name: 'once', include: ['src/**/*.test.ts', ...once], exclude: [postgresql] },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [postgresql, ...onPostgres],
          globalSetup: './test/postgres-server.ts',
          env: { SALEPROOF_HOT_PATH: 'on' },
        },
      },
      service('hot', 'on'),
      service('prisma', 'off'),
    ],
    reporters: process.env.CI ? ['default', ['json', { outputFile: '.test/results.json' }]] : ['default'],
  },
})
