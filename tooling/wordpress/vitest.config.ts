import { toolConfig } from '@saleproof/vitest/config'

// The first run fetches WordPress, MariaDB and PHP.
export default toolConfig({ include: ['src/**/*.test.ts'], hookTimeout: 600_000 })
