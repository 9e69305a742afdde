import { tiers, toolConfig } from '@saleproof/vitest/config'

export default toolConfig({
  projects: tiers(['src/readme.test.ts', 'src/verifiers.test.ts', 'src/worked-example.test.ts']),
})
