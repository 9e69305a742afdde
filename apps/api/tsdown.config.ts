import rollupPluginLicense from 'rollup-plugin-license'
import { defineConfig } from 'tsdown'

// A CommonJS module whose types say that it is none.
const license = rollupPluginLicense as unknown as typeof rollupPluginLicense.default

const common = defineConfig({
  format: 'esm',
  platform: 'node',
  target: 'node22.14',
  fixedExtension: true,
  dts: false,
  sourcemap: true,
  logLevel: 'error',
})

const published = defineConfig({
  ...common,
  entry: {
    main: 'src/main.ts',
    'import-worker': 'src/import-export/import-worker.ts',
    'storage-worker': 'src/db/sqlite/storage-worker.ts',
    'usage-worker': 'src/usage/usage-worker.ts',
  },
  // Decision 9: Prisma and OpenTelemetry are part of the build, everything else a dependency.
  deps: { onlyBundle: [/^@prisma\//, 'postgres-array', /^@opentelemetry\//] },
  plugins: [license({ thirdParty: { output: 'dist/third-party-licenses.txt' } })],
  copy: [
    // The pages of the console, as their own build made them.
    { from: '../console/dist', to: 'dist', rename: 'console' },
    { from: '../../clients/php/saleproof.php', to: 'dist' },
  ],
})

/** Whole-app tests load each source file as one built file: what they import exists once, and stack traces name the source. */
const tested = defineConfig({
  ...common,
  entry: ['src/**/*.ts', '!src/**/*.test.ts'],
  outDir: 'dist-test',
  unbundle: true,
  deps: { neverBundle: [/^[^./]/] },
})

export default [published, tested]
