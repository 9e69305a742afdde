import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    // The first run installs what is not in npm's cache yet.
    hookTimeout: 900_000,
    testTimeout: 120_000,
    reporters: process.env.CI ? ['default', ['json', { outputFile: '.test/results.json' }]] : ['default'],
  },
})
