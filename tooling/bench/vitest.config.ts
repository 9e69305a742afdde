import { base, tiers } from '@saleproof/vitest/config'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: tiers(['src/timing.test.ts']),
  },
})
