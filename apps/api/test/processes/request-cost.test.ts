import { operations } from '@saleproof/schema'
import { type ConsoleEndpointName, consoleEndpoints } from '@saleproof/schema/console'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consolePath, createBrowser, password, salesChoices } from '../support/console-client.ts'
import { startService, type TestService } from '../support/harness.ts'
import { hostileTexts, plainText } from '../support/hostile-texts.ts'
import { records, secretKey } from '../support/records.ts'

// No request costs more than it weighs: at twice the size at most 2.5 times as much processor time, and at most ten times that of one long
// text of the same size. Ratios, so that a busy machine does not fail it.

const bodyLimit = 16 * 1024
const adminToken = 'a-token-of-the-shop-elsewhere'
const account = records.find((each) => 'username' in each && each.username === 'ada')!

let service: TestService
beforeAll(async () => {
  const off = { SALEPROOF_RATE_LIMIT: 'off', SALEPROOF_FAILURE_LIMIT: 'off', SALEPROOF_SIGN_IN_LIMIT: 'off' }
  service = await startService({
    records: [{ ...account, password }, ...records.filter((each) => each !== account)],
    env: { ...off, ADMIN_TOKEN: adminToken },
  })
})
afterAll(() => service.close())

type Send = (text: string) => Promise<unknown>

/** The processor time of a request, in milliseconds: of the service, and of sending it. */
async function costOf(send: Send, text: string) {
  const before = process.cpuUsage()
  await send(text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const worst = { growth: 0, plain: 0 }
const isFair = ({ growth, plain }: typeof worst) => growth <= 2.5 && plain <= 10

/** The ratios of the least costs of half a text, the whole one, and a plain one, which are sent by turns until they are fair. */
async function ratiosOf(send: Send, textOf: (size: number) => string, size: number) {
  const sent = [textOf(size / 2), textOf(size), plainText(size)]
  const least = sent.map(() => Number.POSITIVE_INFINITY)
  for (let round = 1; ; round++) {
    for (const [index, text] of sent.entries())
      least[index] = Math.min(least[index]!, await costOf(send, text))
    const [half = 0, whole = 0, text = 0] = least
    // A thread that starts, or a garbage collection, is no cost of the text.
    const own = whole - (size > bodyLimit ? 10 : 1)
    const found = { growth: own / half, plain: own / text }
    if (round === 30 || (round > 1 && isFair(found))) return found
  }
}

async function expectFair(name: string, send: Send, size: number, texts = hostileTexts) {
  for (let run = 0; run < 3; run++) await send(plainText(size))
  for (const [made, textOf] of Object.entries(texts)) {
    const found = await ratiosOf(send, textOf, size)
    worst.growth = Math.max(worst.growth, found.growth)
    worst.plain = Math.max(worst.plain, found.plain)
    expect([name, made, isFair(found), found]).toEqual([name, made, true, found])
  }
}

const post =
  (path: string, type: string, headers: Record<string, string> = {}) =>
  (body: string) =>
    service.request({ method: 'POST', path, headers: { 'content-type': type, ...headers }, body })

const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b']

test.each(types)('a validation as %s', async (type) => {
  const { path } = operations.validatePurchase
  for (const [name, headers] of [
    ['anonymous', {}],
    ['with a key', { 'x-api-key': secretKey }],
  ] as const)
    await expectFair(name, post(path, type, headers), bodyLimit)
})

test('an import of an operator, and one without a token', async () => {
  const path = '/admin/import'
  const headers = { authorization: `Bearer ${adminToken}` }
  await expectFair('anonymous', post(path, 'application/x-ndjson'), 64 * 1024)
  await expectFair('admin', post(path, 'application/x-ndjson', headers), 2 * 1024 * 1024)
})

const names = Object.keys(consoleEndpoints) as ConsoleEndpointName[]
const bodies = names.filter((name) => consoleEndpoints[name].method !== 'GET')
async function signIn() {
  const browser = createBrowser(service.url)
  await browser.signIn('ada')
  return browser
}
const parameters = { slug: 'ada-studio', id: '101' } as never

test.each(bodies)('%s of the console', async (name) => {
  const ada = await signIn()
  const isImport = 'records' in consoleEndpoints[name]
  const endpoint = consoleEndpoints[name]
  if ('public' in endpoint) {
    const stranger = createBrowser(service.url)
    await expectFair(`${name}, anonymous`, (text) => stranger.call(name, parameters, text), bodyLimit)
  }
  const sendAs = (type: string) =>
    post(consolePath(name, parameters), type, {
      'sec-fetch-site': 'same-origin',
      'x-csrf-token': ada.token()!,
      cookie: ada.cookie()!,
    })
  if ('file' in endpoint) {
    const send = sendAs('application/octet-stream')
    const preview = { file: new Blob(['code,date\n']), choices: {} }
    const choices =
      name === 'importSales'
        ? salesChoices(await ada.ask('previewSales', parameters, preview), { dry_run: true })
        : {}
    await expectFair(`choices of ${name}`, (text) => send(`${text}\n`), bodyLimit)
    return expectFair(name, (text) => send(`${JSON.stringify(choices)}\n${text}`), 64 * 1024)
  }
  const send = isImport ? sendAs('application/x-ndjson') : (text: string) => ada.call(name, parameters, text)
  await expectFair(name, send, isImport ? 2 * 1024 * 1024 : bodyLimit)
})

test('a code that is checked', async () => {
  const ada = await signIn()
  const check = (code: string) => ada.call('check', parameters, { purchase_code: code })
  const dots = (size: number) => `1${'.'.repeat(size - 2)}x`
  await expectFair('check', check, 4000, { ...hostileTexts, 'dots in a word': dots })
})

test('queries', async () => {
  const ada = await signIn()
  const paths = [
    ...Object.values(operations).map(({ path }) => path),
    ...names.filter((name) => !bodies.includes(name)).map((name) => consolePath(name, parameters)),
  ]
  for (const path of paths)
    await expectFair(
      path,
      (text) =>
        service.request({
          path: `${path}?${text.replace(/[^!-~]/g, '+')}`,
          headers: { 'x-api-key': secretKey, cookie: ada.cookie()! },
        }),
      6 * 1024,
    )
})

afterAll(() => console.log('worst ratios', worst))
