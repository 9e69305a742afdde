import { toolConfig } from '@saleproof/vitest/config'

// The first run fetches PHP.
export default toolConfig({ include: ['test/*.test.ts'], hookTimeout: 300_000 })
