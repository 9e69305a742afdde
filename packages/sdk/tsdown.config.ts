import { defineConfig } from 'tsdown'

// What is needed of the schema package is built in: the package has no dependencies.
const builtIn = ['@saleproof/schema']

const entry = {
  index: 'src/index.ts',
  publishable: 'src/publishable.ts',
  gate: 'src/gate/index.ts',
  guard: 'src/guard.ts',
  node: 'src/node/index.ts',
  'web-storage': 'src/web-storage.ts',
  'workers-kv': 'src/workers-kv.ts',
  passes: 'src/passes.ts',
  'durable-objects': 'src/durable-objects.ts',
  testing: 'src/testing/index.ts',
  messages: 'src/messages.ts',
  browser: 'src/browser.ts',
  'saleproof-check': 'src/cli/main.ts',
}

// What every client needs; the gate shares parts of it.
const core =
  /(schema\/src\/pasted-code|sdk\/src\/(body|calls?|check-purchase|client|errors|identity|options|purchase-code|race|response|retry-timing|validate))\.ts$/

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
  logLevel: 'error',
})
