import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ConfigError, type Environment, loadConfig } from '../../src/config.ts'
import { readAddress } from '../../src/db/postgres/address.ts'

const load = (env: Environment) => loadConfig(env, { cores: 3 })

function problemsOf(env: Environment): readonly string[] {
  try {
    load(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

test('without any variable the defaults of the contract hold', () => {
  expect(load({})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    publicUrl: undefined,
    databaseUrl: 'file:./data/saleproof.db',
    directUrl: undefined,
    secret: undefined,
    shape: 'base',
    locale: 'en',
    rateLimit: { count: 600, seconds: 60 },
    failureLimit: { count: 30, seconds: 60 },
    keyFailureLimit: { count: 600, seconds: 600 },
    concurrency: 3,
    maxConnections: 10_000,
    redisUrl: undefined,
    trustProxy: [],
    adminToken: undefined,
    metricsToken: undefined,
    logLevel: 'info',
    production: false,
  })
})

test('the failures of a key follow those of an address, unless they are set', () => {
  const of = (env: Environment) => load(env).keyFailureLimit
  expect(of({ SALEPROOF_FAILURE_LIMIT: '3/20' })).toEqual({ count: 60, seconds: 200 })
  expect(of({ SALEPROOF_FAILURE_LIMIT: 'off' })).toBeUndefined()
  expect(of({ SALEPROOF_FAILURE_LIMIT: 'off', SALEPROOF_KEY_FAILURE_LIMIT: '9/9' })).toEqual({
    count: 9,
    seconds: 9,
  })
  expect(of({ SALEPROOF_KEY_FAILURE_LIMIT: 'off' })).toBeUndefined()
})

describe('of PostgreSQL', () => {
  const url = 'postgresql://u:p@one:5432/shop'
  const env = { DATABASE_URL: url, SALEPROOF_SECRET: 's'.repeat(32) }

  test('an address names a server, and is encrypted unless that is this machine', () => {
    expect(load({ ...env, DATABASE_DIRECT_URL: url })).toMatchObject({ databaseUrl: url, directUrl: url })
    const mode = (host: string, rest = '') => readAddress(`postgresql://u:p@${host}/shop${rest}`).tls?.mode
    const others = [mode('one'), mode('127.0.0.1.example'), mode('one', '?host=')]
    others.push(mode('one', '?host=localhost&host=two'), readAddress('postgresql:///shop').tls?.mode)
    expect(others).toEqual(Array(5).fill('require'))
    const local = ['localhost:5432', '127.0.0.1', '[::1]', '%2Frun%2Fpostgresql'].map((host) => mode(host))
    expect(local).toEqual(Array(4).fill(undefined))
    expect([mode('one', '?sslmode=disable'), mode('localhost', '?sslmode=require')]).toEqual([
      undefined,
      'require',
    ])
    expect(mode('localhost', '?sslrootcert=/x')).toBe('require')
  })

  test.each([
    [{ DATABASE_URL: 'postgresql://one:5432,two:5432/shop' }, /^DATABASE_URL takes /],
    [{ DATABASE_URL: 'postgresql://one,two/shop' }, /^DATABASE_URL takes postgresql:.* of one server, /],
    [{ DATABASE_URL: 'postgresql://one/' }, /^DATABASE_URL takes /],
    [{ DATABASE_DIRECT_URL: 'file:./x.db' }, /^DATABASE_DIRECT_URL takes postgresql:/],
    [{ DATABASE_URL: `${url}?pgbouncer=true` }, /^DATABASE_DIRECT_URL takes .* pgbouncer=true$/],
    [{ DATABASE_URL: '', DATABASE_DIRECT_URL: url }, /^DATABASE_URL takes postgresql:/],
    [{ DATABASE_URL: 'postgresql://u:a/b@one/shop' }, /^DATABASE_URL takes postgresql:.*%2F/],
    [{ DATABASE_URL: 'postgresql://u:a@one/shop#b' }, /^DATABASE_URL takes postgresql:.*%2F/],
    [{ DATABASE_URL: 'postgresql://u:100%@one/shop' }, /^DATABASE_URL takes postgresql:.*%2F/],
    [{ DATABASE_URL: `${url}?sslmode=no-verify` }, /^DATABASE_URL takes one of sslmode=disable, /],
    [{ DATABASE_URL: `${url}?sslmode=prefer` }, /^DATABASE_URL takes one of sslmode=disable, /],
    [{ DATABASE_URL: `${url}?ssl=true` }, /^DATABASE_URL takes no ssl: /],
    [{ DATABASE_URL: `${url}?sslmode=verify-ca` }, /^DATABASE_URL takes sslrootcert=FILE with /],
    [
      { DATABASE_URL: `${url}?sslmode=require&sslrootcert=system` },
      /^DATABASE_URL takes sslmode=verify-full /,
    ],
    [{ DATABASE_URL: `${url}?sslcert=/x` }, /^DATABASE_URL takes sslcert=FILE and sslkey=FILE together$/],
    [{ DATABASE_URL: `${url}?channel_binding=require` }, /^DATABASE_URL takes no channel_binding: /],
    [{ DATABASE_URL: `${url}?sslcrl=/x` }, /^DATABASE_URL takes no sslcrl: /],
    [{ DATABASE_DIRECT_URL: `${url}?sslmode=x` }, /^DATABASE_DIRECT_URL takes one of sslmode=/],
    [{ SALEPROOF_SECRET: '' }, /^SALEPROOF_SECRET takes /],
  ])('%j is refused', (wrong, says) => {
    expect(problemsOf({ ...env, ...wrong })).toEqual([expect.stringMatching(says)])
  })
})

/** For each variable what it takes, with the value that it gives, and what it refuses. */
const variables: Record<string, { field: string; takes: [string, unknown][]; refuses: string[] }> = {
  HOST: {
    field: 'host',
    takes: [
      ['0.0.0.0', '0.0.0.0'],
      ['::1', '::1'],
      ['shop.lan', 'shop.lan'],
    ],
    refuses: ['a b', ' '],
  },
  PORT: {
    field: 'port',
    takes: [
      ['0', 0],
      ['65535', 65535],
      ['080', 80],
    ],
    refuses: ['65536', '-1', '1.5', '0x50', 'http', ' 80'],
  },
  PUBLIC_URL: {
    field: 'publicUrl',
    takes: [
      ['https://a.example', 'https://a.example'],
      ['http://a.example:8080/x/', 'http://a.example:8080/x'],
      ['HTTPS://A.example/x', 'https://a.example/x'],
    ],
    refuses: [
      'a.example',
      '/x',
      'ftp://a.example',
      'https://a.example/?q',
      'https://a.example/#a',
      'https://u:p@a.example',
      'javascript:1',
    ],
  },
  DATABASE_URL: {
    field: 'databaseUrl',
    takes: [
      ['file:./x.db', 'file:./x.db'],
      ['file:/var/x.db', 'file:/var/x.db'],
    ],
    refuses: ['x.db', 'file:', 'file://data/x.db', 'mysql://h/x', 'http://h'],
  },
  SALEPROOF_SECRET: {
    field: 'secret',
    takes: [['s'.repeat(32), 's'.repeat(32)]],
    refuses: ['s'.repeat(31), 'hunter2'],
  },
  SALEPROOF_SHAPE: {
    field: 'shape',
    takes: [
      ['base', 'base'],
      ['extended', 'extended'],
    ],
    refuses: ['Base', 'x', 'base '],
  },
  SALEPROOF_LOCALE: {
    field: 'locale',
    takes: [
      ['en', 'en'],
      ['pt', 'pt'],
    ],
    refuses: ['pt-BR', 'EN', 'de'],
  },
  SALEPROOF_RATE_LIMIT: {
    field: 'rateLimit',
    takes: [
      ['5/1', { count: 5, seconds: 1 }],
      ['off', undefined],
    ],
    refuses: ['5', '0/60', '60/0', '5/x', '-5/60', '5/60/1', 'on', '1.5/60'],
  },
  SALEPROOF_FAILURE_LIMIT: {
    field: 'failureLimit',
    takes: [
      ['30/60', { count: 30, seconds: 60 }],
      ['off', undefined],
    ],
    refuses: ['OFF', '/', '5/', ' 5/60'],
  },
  WEB_CONCURRENCY: {
    field: 'concurrency',
    takes: [
      ['1', 1],
      ['64', 64],
    ],
    refuses: ['0', 'all', '1.5', '100000'],
  },
  SALEPROOF_MAX_CONNECTIONS: {
    field: 'maxConnections',
    takes: [
      ['1', 1],
      ['1000000', 1_000_000],
    ],
    refuses: ['0', 'off', '1000001', '-1'],
  },
  REDIS_URL: {
    field: 'redisUrl',
    takes: [
      ['redis://h:6379', 'redis://h:6379'],
      ['rediss://u:p@h/1', 'rediss://u:p@h/1'],
    ],
    refuses: ['h:6379', 'http://h', 'redis://'],
  },
  TRUST_PROXY: {
    field: 'trustProxy',
    takes: [
      ['false', []],
      ['2', 2],
      ['10.0.0.0/8, fd00::/8', ['10.0.0.0/8', 'fd00::/8']],
      ['127.0.0.1', ['127.0.0.1']],
    ],
    refuses: ['true', 'x', '10.0.0.0/33', '-1', '10.0.0.0/8,', '1.5'],
  },
  ADMIN_TOKEN: {
    field: 'adminToken',
    takes: [['t'.repeat(16), 't'.repeat(16)]],
    refuses: ['hunter2', `${'t'.repeat(20)} x`],
  },
  METRICS_TOKEN: {
    field: 'metricsToken',
    takes: [['t'.repeat(16), 't'.repeat(16)]],
    refuses: ['hunter2', 'ü'.repeat(16)],
  },
  LOG_LEVEL: {
    field: 'logLevel',
    takes: [
      ['debug', 'debug'],
      ['silent', 'silent'],
    ],
    refuses: ['INFO', 'all'],
  },
  SALEPROOF_KEY_FAILURE_LIMIT: {
    field: 'keyFailureLimit',
    takes: [
      ['900/3600', { count: 900, seconds: 3600 }],
      ['off', undefined],
    ],
    refuses: ['OFF', '600', '0/60'],
  },
}

describe.each(Object.entries(variables))('%s', (name, { field, takes, refuses }) => {
  test.each(takes)('takes %s', (text, value) => {
    expect(load({ [name]: text })[field as 'host']).toEqual(value)
  })

  test.each(refuses)('refuses "%s" with one line that names it and not its value', (text) => {
    const problems = problemsOf({ [name]: text })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(new RegExp(`^${name} takes .+`))
    expect(problems[0]).not.toContain('\n')
    if (/SECRET|TOKEN/.test(name)) expect(problems[0]).not.toContain(text)
  })

  test('is not set when it is empty', () => {
    expect(load({ [name]: '' })).toEqual(load({}))
  })
})

test('PostgreSQL is named in what DATABASE_URL takes', () => {
  expect(problemsOf({ DATABASE_URL: 'mysql://h/x' })[0]).toContain('file:')
})

test('every problem is listed at once, in the order of the documents', () => {
  const wrong = Object.fromEntries(
    Object.entries(variables).map(([name, { refuses }]) => [name, refuses[0]!]),
  )
  const named = problemsOf(wrong).map((line) => line.split(' ')[0])
  expect(named).toEqual(Object.keys(variables))
})

test('any environment gives a configuration or a ConfigError, and nothing else', () => {
  const name = fc.constantFrom(...Object.keys(variables))
  fc.assert(
    fc.property(fc.dictionary(name, fc.string({ unit: 'binary' })), (env) => {
      const problems = problemsOf(env)
      expect(new Set(problems.map((line) => line.split(' ')[0])).size).toBe(problems.length)
    }),
  )
})
