import { tiers, toolConfig } from '@saleproof/vitest/config'

export default toolConfig({
  // The first run installs what is not in npm's cache yet.
  hookTimeout: 900_000,
  testTimeout: 300_000,
  projects: tiers(['src/installed.test.ts', 'src/upgrade.test.ts']),
})
