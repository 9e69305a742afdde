import { tiers, toolConfig } from '@saleproof/vitest/config'

export default toolConfig({
  // Each slow file builds or installs by itself, and takes all that a small machine has.
  fileParallelism: false,
  // The first run installs what is not in npm's cache yet.
  hookTimeout: 900_000,
  testTimeout: 300_000,
  projects: tiers(['src/installed.test.ts', 'src/upgrade.test.ts']),
})
