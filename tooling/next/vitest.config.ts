import { base } from '@saleproof/vitest/config'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  ...base,
  // The first run installs Next.js; a build takes half a minute.
  test: { ...base.test, include: ['src/**/*.test.ts'], hookTimeout: 600_000, testTimeout: 300_000 },
})
