import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['@saleproof/source', 'node', 'development|production'] },
  ssr: { resolve: { conditions: ['@saleproof/source', 'node', 'development|production'] } },
  test: {
    setupFiles: ['./vitest.seed.mjs'],
    include: ['{src,test}/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: process.env.CI ? ['default', ['json', { outputFile: '.test/results.json' }]] : ['default'],
  },
})
