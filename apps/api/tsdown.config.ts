import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: { main: 'src/main.ts', 'import-worker': 'src/import/import-worker.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node22.12',
  fixedExtension: true,
  dts: false,
  sourcemap: true,
  logLevel: 'error',
})
