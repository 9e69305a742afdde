import { toolConfig } from '@saleproof/vitest/config'

// The first run fetches PHP.
export default toolConfig({ include: ['src/**/*.test.ts'], hookTimeout: 300_000 })
