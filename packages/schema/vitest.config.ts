import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['@saleproof/source', 'node', 'development|production'] },
  ssr: { resolve: { conditions: ['@saleproof/source', 'node', 'development|production'] } },
  test: {
    setupFiles: ['./vitest.seed.mjs'],
    include: ['src/**/*.test.ts'],
    reporters: process.env.CI ? ['default', ['json', { outputFile: '.test/results.json' }]] : ['default'],
  },
})
