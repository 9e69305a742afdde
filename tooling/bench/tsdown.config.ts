import { defineConfig } from 'tsdown'

// Only the servers are built: like the service that they are compared with, they start from plain JavaScript.
export default defineConfig({
  entry: 'src/servers/*.ts',
  format: 'esm',
  platform: 'node',
  target: 'node22.14',
  fixedExtension: true,
  dts: false,
  logLevel: 'error',
})
