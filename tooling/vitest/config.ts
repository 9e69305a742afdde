import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { TestProjectConfiguration, ViteUserConfig } from 'vitest/config'

/** Tests read the sources of other packages: nothing has to be built before them. */
const conditions = ['@saleproof/source', 'node', 'development|production']

/** What the tests of every package share. */
export const base = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    setupFiles: [fileURLToPath(new URL('seed.ts', import.meta.url))],
    // On two cores Vitest would run one file at a time, and much of a test is waiting, for a process, a server or time to pass.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A process for each file would load the same modules again. What tests change outside of their file they put back.
    isolate: false,
    // On a machine that does other things as well, what takes seconds may take a minute.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // On a busy machine one in thousands is late now and then. `.ci/run` lists those that passed only when they were run again. Tests
    // with a seed, which look for what is wrong once, take `retry: 0`.
    retry: process.env.CI ? 1 : 0,
    // Turbo keeps the results, and tooling/checks counts them.
    reporters: ['default', 'json'],
    outputFile: { json: '.test/results.json' },
  },
} satisfies ViteUserConfig

export const toolConfig = (test: ViteUserConfig['test']): ViteUserConfig => ({
  ...base,
  test: { ...base.test, ...test },
})

/** `pnpm test` runs the units, `pnpm test:all` the files that take long or need what the units do without. */
export const tiers = (slow: string[]): TestProjectConfiguration[] => [
  { extends: true, test: { name: 'units', include: ['src/**/*.test.ts'], exclude: slow } },
  { extends: true, test: { name: 'slow', include: slow } },
]
