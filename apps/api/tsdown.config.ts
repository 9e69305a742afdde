import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import rollupPluginLicense from 'rollup-plugin-license'
import { defineConfig } from 'tsdown'
import { viewerTypes } from './src/pages/docs/viewer-types.ts'

// A CommonJS module whose types say that it is none.
const license = rollupPluginLicense as unknown as typeof rollupPluginLicense.default

const viewer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

const served = Object.keys(viewerTypes)
const notices = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt']

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
    'reader-worker': 'src/db/sqlite/reader-worker.ts',
  },
  // Decision 9: Prisma and OpenTelemetry are part of the build, everything else a dependency.
  deps: { onlyBundle: [/^@prisma\//, 'postgres-array', /^@opentelemetry\//] },
  plugins: [license({ thirdParty: { output: 'dist/third-party-licences.txt' } })],
  copy: [
    // The pages of the console, as their own build made them.
    { from: '../console/dist', to: 'dist', rename: 'console' },
    ...served.map((name) => ({ from: join(viewer, name), to: 'dist/viewer' })),
    // Under names of their own: a file LICENSE anywhere keeps pnpm from packing ours.
    ...notices.map((name) => ({
      from: join(viewer, name),
      to: 'dist/viewer',
      rename: `swagger-ui.${name.replace(/^swagger-ui-bundle\.js\./, 'bundle.')}`,
    })),
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
