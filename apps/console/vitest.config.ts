import { base } from '@saleproof/vitest/config'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

// `pnpm test` runs the units, `pnpm test:all` the pages in a browser.
export default defineConfig({
  ...base,
  plugins: [react()],
  test: {
    ...base.test,
    projects: [
      { extends: true, test: { name: 'units', include: ['src/**/*.test.{ts,tsx}'] } },
      {
        extends: true,
        // A browser and a service are started, on a machine that does other things as well.
        test: { name: 'browser', include: ['test/*.test.ts'], testTimeout: 240_000 },
      },
    ],
  },
})
