import { base } from '@saleproof/vitest/config'
import { defineConfig } from 'vitest/config'

export default defineConfig({ ...base, test: { ...base.test, include: ['{src,test}/**/*.test.ts'] } })
