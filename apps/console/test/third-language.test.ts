import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { messages as en } from '../src/messages/en/index.ts'
import { useTestApp } from './test-app.ts'

const app = useTestApp()
const source = fileURLToPath(new URL('..', import.meta.url))
// Below the package, where its dependencies are found.
const folder = join(source, '.test/third-language')
let vite: ViteDevServer

/** Replaces a text of the copied messages, which has to be there. */
function translate(file: string, from: string, to: string) {
  const path = join(folder, 'src/messages/pl', file)
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(from)
  writeFileSync(path, text.replace(from, to))
}

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const name of ['src', 'build', 'index.html', 'docs.html', 'vite.config.ts', 'package.json'])
    cpSync(join(source, name), join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "jsx": "react-jsx" } }')
  // All that a translator adds.
  cpSync(join(folder, 'src/messages/en'), join(folder, 'src/messages/pl'), { recursive: true })
  translate('common.ts', en.signIn.subtitle, 'Zarządzaj produktami')
  translate(
    'items.ts',
    "plural('en', count, { one: 'item', other: 'items' })",
    "plural('pl', count, { one: 'produkt', few: 'produkty', many: 'produktów', other: 'produktu' })",
  )
  const proxy = { target: app.url, headers: { origin: app.url } }
  vite = await createServer({
    root: folder,
    configFile: join(folder, 'vite.config.ts'),
    logLevel: 'error',
    server: { port: 0, host: '127.0.0.1', proxy: { '^/console/(api|preview)': proxy } },
  })
  await vite.listen()
})

afterAll(async () => {
  await vite?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a third language is one folder: it is offered, chosen by the browser, and has its own plurals', async () => {
  const { page, signIn } = await app.visit({ locale: 'pl-PL' })
  const [url] = vite.resolvedUrls?.local ?? []
  await page.goto(`${url}w/ada-studio/items`)
  await page.getByText('Zarządzaj produktami').waitFor()
  await page.getByText('Polski').waitFor()
  await signIn('ada')
  await page.getByText(/^\d+ produkt(y|ów)$/).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('pl')
})
