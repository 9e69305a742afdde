import { toolConfig } from '@saleproof/vitest/config'

export default toolConfig({ include: ['src/**/*.test.ts'] })
