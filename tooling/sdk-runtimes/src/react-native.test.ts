import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { installInCache, pack, run, runSync } from '@saleproof/process'
import { afterAll, beforeAll, expect, it } from 'vitest'

// The packed tarball and its example, bundled by Metro as React Native configures it, in a real Hermes.

const sdk = join(import.meta.dirname, '../../../packages/sdk')

// The last Hermes that npm has as a program; the `fetch` of React Native, and its `AbortController`.
const versions = {
  'hermes-engine-cli': '0.12.0',
  metro: '0.87.1',
  '@react-native/metro-config': '0.88.1',
  'whatwg-fetch': '3.6.20',
  'abort-controller': '3.0.0',
}

/** A resolver of Metro. */
type Resolve = (context: unknown, name: string, platform: string) => unknown

let cache: string
let folder: string

beforeAll(() => {
  cache = installInCache('react-native', versions)
  folder = mkdtempSync(join(cache, 'app-'))
  cpSync(join(import.meta.dirname, '../react-native'), folder, { recursive: true })
  const tarball = pack(sdk, join(folder, 'packed'))
  const installed = join(folder, 'node_modules/@saleproof/sdk')
  mkdirSync(installed, { recursive: true })
  runSync(['tar', '-xzf', tarball, '-C', installed, '--strip-components=1'], { cwd: folder })
  const example = readFileSync(join(installed, 'examples/react-native.ts'), 'utf8')
  writeFileSync(join(folder, 'example.ts'), example.replace('YOUR_PEPPER:', 'A pepper with'))
})

afterAll(() => folder && rmSync(folder, { recursive: true }))

/** Bundles a program and runs it; gives what it printed. */
async function runInHermes(entry: string): Promise<string> {
  const require = createRequire(join(cache, 'package.json'))
  const { getDefaultConfig, mergeConfig } = require('@react-native/metro-config')
  const defaults = getDefaultConfig(folder)
  const config = mergeConfig(defaults, {
    watchFolders: [cache],
    maxWorkers: 1,
    cacheStores: [],
    reporter: { update() {} },
    resolver: {
      useWatchman: false,
      resolveRequest: (context: { resolveRequest: Resolve }, name: string, platform: string) =>
        /^(@react-native-async-storage|react-native-quick-crypto)/.test(name)
          ? { type: 'sourceFile', filePath: join(folder, 'native-modules.js') }
          : context.resolveRequest(context, name, platform),
    },
    serializer: { getModulesRunBeforeMainModule: () => [] },
  })
  const out = join(folder, `${entry}.bundle.js`)
  await require('metro').runBuild(config, { entry, out, platform: 'android', dev: false, minify: false })
  const hermes = join(cache, 'node_modules/hermes-engine-cli/linux64-bin/hermes')
  const { code, stdout, stderr } = await run([hermes, '-Xmicrotask-queue', out], { cwd: folder })
  if (code !== 0) throw new Error(stderr)
  return stdout
}

it('answers from cache and with grace in React Native, and refuses', async () => {
  const never = 'No purchase that this key may see has this code: it was mistyped or never sold.'
  const refunded = 'The purchase exists but was refunded or revoked: it no longer entitles to anything.'
  expect(JSON.parse(await runInHermes('program.js'))).toEqual([
    ['Thank you!', 1],
    ['Thank you!', 1],
    [never, 2],
    // An outage, found out by two retries.
    ['Thank you!', 5],
    [expect.stringMatching(/^No complete response arrived/), 5],
    // Its end is found out in the background.
    ['Thank you!', 5],
    [refunded, 6],
  ])
})

it('loads no client for secret keys in React Native', async () => {
  await expect(runInHermes('secret.js')).rejects.toThrow('@saleproof/sdk holds a secret key')
})
