import { operationList } from '@saleproof/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exchange, parseAnswers, send } from '../support/client.ts'
import { startService, type TestService } from '../support/harness.ts'
import { records, secretKey } from '../support/records.ts'

const token = 'a-token-of-the-operator'

let service: TestService
let prefixed: TestService
beforeAll(async () => {
  const env = { METRICS_TOKEN: token, ADMIN_TOKEN: token }
  service = await startService({ records, env })
  prefixed = await startService({ records, env: { ...env, PUBLIC_URL: 'https://shop.example/market' } })
})
afterAll(async () => {
  await service.close()
  await prefixed.close()
})

/** Ways to write "one folder up" that a server, or a proxy before it, may undo. */
const ups = [
  '..',
  '%2e%2e',
  '%2E%2E',
  '.%2e',
  '%252e%252e',
  '%25252e%25252e',
  '%c0%ae%c0%ae',
  '%uff0e%uff0e',
  '..;',
  '..%00',
  '....//..',
]
const slashes = ['/', '%2f', '%2F', '%252f', '\\', '%5c', '%255c', '%c0%af', '/./', '//']
const folders = ['', '/docs', '/console', '/console/assets', '/docs/errors']
const targets = ['package.json', 'etc/passwd']

const traversals = folders.flatMap((folder) =>
  ups.flatMap((up) =>
    slashes.flatMap((slash) =>
      targets.map((target) => `${folder}/${Array(4).fill(up).join(slash)}${slash}${target}`),
    ),
  ),
)

/** Files that lie beside the service, or that others have left on servers. */
const names = [
  '.env',
  '.git/config',
  '.git/HEAD',
  '.npmrc',
  '.htaccess',
  '.DS_Store',
  '.well-known/security.txt',
  '.ssh/id_rsa',
  'package.json',
  'pnpm-lock.yaml',
  'tsconfig.json',
  'prisma/schema.prisma',
  'node_modules/koa/package.json',
  'src/main.ts',
  'src/main.tsx',
  'dist/main.js',
  'main.js',
  'index.html',
  'index.js',
  'console.json',
  'data/saleproof.db',
  'test.db',
  'saleproof.db',
  'saleproof.db.secret',
  'saleproof.db-wal',
  'data/saleproof.db.secret',
  'backup.zip',
  'swagger-ui-bundle.js.map',
  'docs.css.map',
  'docs.ts',
  'errors.html',
  'assets/',
  'assets',
  'assets/index.js.map',
  'swagger-initializer.js',
  'oauth2-redirect.html',
  'constructor',
  '__proto__',
  'toString',
  'CON',
  'nul',
]
const files = ['', '/docs', '/console', '/console/assets', '/api', '/dist', '/public', '/static'].flatMap(
  (folder) => names.map((name) => `${folder}/${name}`),
)

const odd = [
  '/docs%00',
  '/docs%00.html',
  '/docs/docs.css%00.png',
  '/docs/docs.css/',
  '/docs/docs.css/x',
  '/docs/./docs.css',
  '/docs//docs.css',
  '//docs/docs.css',
  '/DOCS/docs.css',
  '/docs/DOCS.CSS',
  '/docs;x/docs.css',
  '/docs/docs.css;x',
  '/docs\\docs.css',
  '/docs%2fdocs.css',
  '/docs/docs%2ecss%20',
  '/docs/docs.css~',
  '/docs/docs.css.bak',
  '/docs/docs.css::$DATA',
  '/%64ocs/docs.css',
]

/** As many as a connection bears at once, so that thousands take no time. */
async function askAll({ url }: TestService, paths: readonly string[]) {
  const size = 200
  const answers = []
  for (let index = 0; index < paths.length; index += size) {
    const part = paths.slice(index, index + size)
    const end = 'GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'
    const text = await exchange(
      url,
      `${part.map((path) => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`).join('')}${end}`,
    )
    answers.push(...parseAnswers(text).slice(0, -1))
  }
  expect(answers).toHaveLength(paths.length)
  return answers.map((answer, index) => ({ path: paths[index]!, ...answer }))
}

describe('nothing is served but what was built to be', () => {
  test.each([
    ['out of the folders', traversals],
    ['dotfiles, sources, data', files],
    ['other names of what is served', odd],
  ])('%s', async (_what, paths) => {
    for (const each of [service, prefixed]) {
      const prefix = each === prefixed ? '/market' : ''
      for (const { path, status, text, headers } of await askAll(
        each,
        paths.map((path) => prefix + path),
      )) {
        expect([path, status, headers['x-error-code']]).toEqual([path, 404, 'route_not_found'])
        expect(JSON.parse(text)).toEqual({ status: 'error', msg: 'Not found' })
      }
    }
  })
})

describe('every page has a strict policy, wherever it is mounted', () => {
  const pages = ['/docs', '/docs/errors', '/docs/', '/console', '/console/', '/console/account']
  const parts = ['/docs/docs.css', '/openapi.json']
  test.each([...pages, ...parts])('%s', async (path) => {
    const { status, headers } = await service.request({ path })
    expect(status).toBeLessThan(400)
    const policy = headers['content-security-policy']?.split(';')
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'", "form-action 'none'"]),
    )
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
    })
  })

  test.each(['/docs', '/nowhere', '/healthz', '/console'])(
    '%s does not reveal what runs here',
    async (path) => {
      const { headers } = await service.request({ path })
      expect([headers['x-powered-by'], headers.server]).toEqual([undefined, undefined])
    },
  )
})

describe('the operations have the headers of the contract and no other', () => {
  const ofContract = new Set([
    'content-type',
    'content-length',
    'cache-control',
    'content-language',
    'x-request-id',
    'date',
    'connection',
    'keep-alive',
    'etag',
    'vary',
    'content-encoding',
    'x-error-code',
    'link',
    'allow',
    'www-authenticate',
    'retry-after',
    'ratelimit',
    'ratelimit-policy',
    'x-content-type-options',
  ])
  const ofPages = ['access-control-allow-origin', 'access-control-expose-headers']
  test.each(operationList)('$method $path', async ({ method, path, publishable }) => {
    for (const headers of [{}, { 'x-api-key': secretKey }, { 'x-api-key': 'sp_test_no_such_key' }]) {
      for (const used of [method, 'PUT']) {
        for (const query of ['', '?purchase_code=AAAA-1111-active-image&item_id=101', '?shape=odd']) {
          const answer = await send(service.url, { method: used, path: path + query, headers })
          const isForPages = publishable && used === method && headers['x-api-key'] !== secretKey
          const more = Object.keys(answer.headers).filter((name) => !ofContract.has(name))
          expect(more).toEqual(isForPages ? ofPages : [])
        }
      }
    }
  })
})
