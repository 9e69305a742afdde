import { base } from '@saleproof/vitest/config'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['src/**/*.test.ts'],
    // The first run fetches PHP.
    hookTimeout: 300_000,
    testTimeout: 120_000,
  },
})
