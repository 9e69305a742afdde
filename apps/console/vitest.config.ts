import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react()],
  resolve: { conditions: ['@saleproof/source', 'node', 'development|production'] },
  ssr: { resolve: { conditions: ['@saleproof/source', 'node', 'development|production'] } },
  test: {
    setupFiles: ['./vitest.seed.mjs'],
    expect: { poll: { timeout: 20_000 } },
    // A browser and a service are started, on a machine that does other things as well.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: process.env.CI ? ['default', ['json', { outputFile: '.test/results.json' }]] : ['default'],
  },
})
