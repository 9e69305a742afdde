import { join } from 'node:path'
import { base } from '@saleproof/vitest/config'
import { defineConfig } from 'vitest/config'

/** Watching follows the sources; everything else runs what was built of them, which Node.js loads once for all files of a worker. */
const fromSource = process.env.SALEPROOF_TEST_SOURCE === '1'

const conditions = ['node', 'development|production']
const built = {
  resolve: {
    conditions,
    alias: [
      { find: /^(?:\.\.\/)+src\/(.+)\.ts$/, replacement: join(import.meta.dirname, 'dist-test/$1.mjs') },
    ],
  },
  ssr: { resolve: { conditions } },
}

/** Whole-app tests: what they import of `src` is what was built of it. */
const wholeApp = {
  ...(!fromSource && built),
  test: { globalSetup: fromSource ? [] : ['./test/support/build.ts'] },
}

const postgresUnits = 'src/**/postgres/*.test.ts'
const tests = (...folders: string[]) => folders.map((folder) => `test/${folder}/*.test.ts`)

const project = (name: string, include: string[], more: object = {}) => ({
  extends: true as const,
  ...wholeApp,
  test: { name, include, ...wholeApp.test, ...more },
})

// `pnpm test` runs the first two, `pnpm test:all` the others. What is in a folder runs
// - api: on SQLite with the fast path and without it, and on PostgreSQL, as far as it can matter: all have to answer the same
// - service, commands: on SQLite and on PostgreSQL
// - processes, exactness, fuzz/http: the same, but they start processes or take long
// - redis, and what `postgres` leaves out: on SQLite; what they promise knows no database
// - sqlite, faults, fuzz/import: on SQLite; what they promise of PostgreSQL as well is in postgresql
// - browser: once
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    // Much of a test is waiting, for a lock, a process or time to pass.
    maxWorkers: 3,
    projects: [
      { extends: true, test: { name: 'units', include: ['src/**/*.test.ts'], exclude: [postgresUnits] } },
      project('service', tests('api', 'service', 'commands', 'sqlite')),
      project('processes', tests('processes', 'redis', 'exactness', 'fuzz', 'faults', 'browser')),
      project('prisma', tests('api'), {
        env: { SALEPROOF_FAST_PATH: 'off' },
        // They test the life of connections and the SDK, which know no fast path.
        exclude: ['test/api/{server,sdk-real-and-mock}.test.ts'],
      }),
      project(
        'postgres',
        [
          postgresUnits,
          ...tests('api', 'service', 'commands', 'processes', 'exactness', 'postgresql', 'chaos'),
          'test/fuzz/http.test.ts',
        ],
        {
          exclude: [
            'api/{addresses,post-bodies,raw-requests,sdk-real-and-mock,server,smuggling}',
            'processes/{processes,request-cost,serve-process,tracing-collector}',
            'service/{console-pages,limits,limits-of-routes,served-files}',
          ].map((names) => `test/${names}.test.ts`),
          globalSetup: [...wholeApp.test.globalSetup, './test/support/postgres-server.ts'],
        },
      ),
    ],
  },
})
