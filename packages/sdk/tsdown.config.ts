import { build } from 'esbuild'
import { defineConfig } from 'tsdown'

// What is needed of the schema package is built in: the package has no dependencies.
const builtIn = ['@saleproof/schema']

const entry = {
  index: 'src/index.ts',
  publishable: 'src/publishable.ts',
  gate: 'src/gate/index.ts',
  guard: 'src/guard.ts',
  node: 'src/node/index.ts',
  testing: 'src/testing/index.ts',
  schemas: 'src/schemas.ts',
  messages: 'src/messages.ts',
  browser: 'src/browser.ts',
  'saleproof-check': 'src/cli/main.ts',
}

// What every client needs; the gate shares parts of it.
const core =
  /(schema\/src\/pasted-code|sdk\/src\/(attempt|body|calls?|check-purchase|client|errors|identity|log|options|outcome|purchase-code|race|response|retry-timing|secrets))\.ts$/

/** Replaces modules that are computed from the tables of the schema by their values, so that no user bundles the tables. */
const computed = {
  name: 'computed',
  async load(id: string) {
    if (!id.endsWith('/src/strict-patterns.ts')) return null
    const { outputFiles } = await build({
      entryPoints: [id],
      bundle: true,
      write: false,
      format: 'esm',
      conditions: ['@saleproof/source'],
    })
    const code = outputFiles[0]?.text ?? ''
    const values: object = await import(`data:text/javascript,${encodeURIComponent(code)}`)
    return Object.entries(values)
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
      .join('\n')
  },
}

export default defineConfig({
  entry,
  format: 'esm',
  platform: 'neutral',
  target: 'node22',
  fixedExtension: false,
  deps: { alwaysBundle: builtIn, onlyBundle: builtIn },
  inputOptions: { resolve: { conditionNames: ['@saleproof/source', 'import'] } },
  // No hashes: the files of two versions can be compared.
  hash: false,
  outputOptions: (output) => ({
    ...output,
    comments: false,
    // Few files: each costs half a millisecond to import.
    codeSplitting: {
      groups: [{ name: 'core', test: core, minSize: 0 }],
      includeDependenciesRecursively: false,
    },
    chunkFileNames: (chunk) =>
      `shared/${typeof output.chunkFileNames === 'function' ? output.chunkFileNames(chunk) : output.chunkFileNames}`,
  }),
  dts: true,
  publint: { strict: true },
  attw: { profile: 'esm-only', level: 'error' },
  plugins: [computed],
  logLevel: 'error',
})
