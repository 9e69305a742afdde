import { base } from '@saleproof/vitest/config'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  ...base,
  resolve: {
    ...base.resolve,
    alias: {
      electron: `${import.meta.dirname}/test/electron.ts`,
      '@react-native-async-storage/async-storage': `${import.meta.dirname}/test/react-native.ts`,
      'react-native-quick-crypto': `${import.meta.dirname}/test/react-native.ts`,
    },
  },
  test: { ...base.test, include: ['{src,test}/**/*.test.ts'], maxConcurrency: 16 },
})
