import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    // Each file builds or installs by itself, and takes all that a small machine has.
    fileParallelism: false,
    // The first run installs what is not in npm's cache yet.
    hookTimeout: 900_000,
    testTimeout: 300_000,
    reporters: process.env.CI ? ['default', ['json', { outputFile: '.test/results.json' }]] : ['default'],
  },
})
