import { tiers, toolConfig } from '@saleproof/vitest/config'

export default toolConfig({ projects: tiers(['src/injected-bugs.test.ts']) })
