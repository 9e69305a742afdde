import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    constants: 'src/constants.ts',
    openapi: 'src/openapi/index.ts',
    records: 'src/records/index.ts',
    'sales-file': 'src/sales-file/index.ts',
    console: 'src/console/index.ts',
    'console-constants': 'src/console/constants.ts',
  },
  format: 'esm',
  platform: 'neutral',
  fixedExtension: true,
  dts: { sourcemap: true },
  sourcemap: true,
  publint: { strict: true },
  attw: { profile: 'esm-only', level: 'error' },
  logLevel: 'error',
})
