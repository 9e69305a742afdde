import { base } from '@saleproof/vitest/config'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['src/**/*.test.ts'],
    // The first run installs the runtimes, about 1 GB.
    hookTimeout: 900_000,
  },
})
