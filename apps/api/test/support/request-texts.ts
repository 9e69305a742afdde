import { operations, type ParameterName } from '@saleproof/schema'
import fc from 'fast-check'

/** A request as it is sent; a header may come twice. */
export interface Sent {
  method: string
  path: string
  headers: Header[]
  body?: string | undefined
}

/** Mostly what clients send, at times what no client should. */
const mostly = <T>(usual: fc.Arbitrary<T>, strange: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 14, arbitrary: usual }, { weight: 1, arbitrary: strange })

type Pair = readonly [name: string, value: string]

const usual = {
  api_key: ['k'],
  item_id: ['1', '101', '999999999999999'],
  purchase_code: ['C', 'AB-CD', 'shape'],
  shape: ['base', 'extended'],
  pass: ['pNBYO_x9mXC8sTzF', 'pNBYO_x9mXC8sTzF,abcdefghijklmno-'],
} as const satisfies Record<ParameterName, readonly string[]>
const strange: Readonly<Record<ParameterName, readonly string[]>> = {
  api_key: ['K', 'a/b+c=', 'x'.repeat(256), '', ' k', 'k\u00e9', '"k', 'k\\u0041'],
  item_id: ['9007199254740991', '9007199254740993', '007', '0', '1.0', '-1', '', ' 1'],
  purchase_code: [
    'a b',
    ' C ',
    'é',
    '\u2013',
    '',
    '\ud83d\ude00',
    '"',
    '\\',
    'C\u0000',
    '%43',
    'C+C',
    'x'.repeat(256),
  ],
  shape: ['Base', '', 'x', ' base'],
  pass: ['', 'x', 'pNBYO_x9mXC8sTzF, x', 'a b', '%', '%2C'],
}
const strangeNames = [
  '__proto__',
  'constructor',
  'API_KEY',
  'api_key ',
  'api_key[]',
  'purchase_code[]',
  'shape[a]',
  'item_id[',
  'xapi_key',
  'api%5Fkey',
  'purchase_code\u0000',
  '',
  'to%6cng',
  'toString',
]
const names = Object.keys(usual) as ParameterName[]

const pairOf = (name: ParameterName): fc.Arbitrary<Pair> =>
  fc.tuple(
    fc.constant(name),
    mostly(fc.constantFrom<string>(...usual[name]), fc.constantFrom(...strange[name])),
  )
const unknownPair: fc.Arbitrary<Pair> = fc.tuple(
  mostly(fc.constantFrom('x', 'utm_source'), fc.constantFrom(...strangeNames)),
  fc.constantFrom('1', 'k', 'C', 'base'),
)
const strangePair: fc.Arbitrary<Pair> = fc.tuple(
  fc.constantFrom(...strangeNames),
  fc.constantFrom('1', 'k', 'C', ''),
)
/** Parameters, mostly each once. */
const pairs = fc
  .tuple(
    fc.subarray(names).chain((chosen) => fc.tuple(...chosen.map(pairOf))),
    mostly(
      fc.constant<Pair[]>([]),
      fc.array(fc.oneof(unknownPair, strangePair, ...names.map(pairOf)), { maxLength: 2 }),
    ),
    fc.array(unknownPair, { maxLength: 1 }),
  )
  .map((lists): Pair[] => lists.flat())

const asIs = ([name, value]: Pair) => `${name}=${value}`
const encoded = ([name, value]: Pair) => new URLSearchParams([[name, value]]).toString()
const sendable = (text: string) =>
  [...text].map((letter) => (/[!-"$-~]/.test(letter) ? letter : encodeURIComponent(letter))).join('')
const form = fc
  .tuple(pairs, fc.boolean(), mostly(fc.constant(''), fc.constantFrom('&', '&&', '=')))
  .map(([given, raw, end]) => given.map(raw ? asIs : encoded).join('&') + end)
const query = form.map(sendable)

const escaped = (text: string) =>
  [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

/** Written by hand, so that a name can stand twice and a text can be escaped in any way. */
const jsonField = ([name, value]: Pair) =>
  fc.tuple(
    mostly(fc.constant(JSON.stringify(name)), fc.constant(`"${escaped(name)}"`)),
    mostly(
      fc.constant(JSON.stringify(value)),
      fc.constantFrom(
        `["C"]`,
        'null',
        '7',
        'true',
        `{"api_key":"K"}`,
        `{"a":{"purchase_code":"D"}}`,
        `"${escaped(value)}"`,
      ),
    ),
  )
const json = fc
  .tuple(
    pairs.chain((given) => fc.tuple(...given.map(jsonField))),
    fc.constantFrom('', ' ', '\n', '\t'),
    mostly(
      fc.constant<string[]>(['', '']),
      fc.constantFrom<string[]>(['\ufeff', ''], ['', 'x'], ['[', ']'], ['', ',']),
    ),
  )
  .map(([fields, space, [before, after]]) => {
    const written = fields.map(([name, value]) => `${name}:${space}${value}`)
    return `${before}{${written.join(`,${space}`)}}${after}`
  })

export type Header = [name: string, value: string]
const headerOf = (name: string, ...texts: string[]) => fc.tuple(fc.constant(name), fc.constantFrom(...texts))
const keyHeader: fc.Arbitrary<Header> = mostly(
  fc.oneof(headerOf('X-Api-Key', 'k'), headerOf('authorization', 'Bearer k')),
  fc.oneof(
    headerOf('x-api-key', 'K', '', 'k, k', 'k\u00e9'),
    headerOf(
      'Authorization',
      'bearer k',
      'Bearer  k',
      'Bearer',
      'Basic abc',
      'Bearer K',
      'Bearer a b',
      'Bearerk',
      '',
    ),
  ),
)
const otherHeader: fc.Arbitrary<Header> = mostly(
  fc.oneof(
    headerOf('Accept-Language', 'pt', 'en;q=0.5', ''),
    headerOf('accept-encoding', 'gzip', 'br, zstd'),
    headerOf('If-None-Match', '"a"', '*'),
    headerOf('X-Request-Id', 'a-b'),
    headerOf('Prefer', 'pass=pNBYO_x9mXC8sTzF', 'respond-async, Pass = "abcdefghijklmnop", wait=1'),
    headerOf('Cookie', 'api_key=K'),
    headerOf('X-Forwarded-For', '::1'),
  ),
  fc.oneof(
    headerOf('X-Request-Id', 'a b', '', 'x'.repeat(65)),
    headerOf('Content-Encoding', 'identity', 'gzip'),
    headerOf('Expect', '100-continue'),
    headerOf('X-Filler', 'x'.repeat(9000)),
  ),
)
const headers = fc
  .tuple(fc.array(keyHeader, { maxLength: 2 }), fc.array(otherHeader, { maxLength: 2 }))
  .map(([keys, others]): Header[] => [...keys, ...others])

const typesOf = (type: string) =>
  mostly(
    fc.constantFrom(type, `${type}; charset=utf-8`),
    fc.constantFrom(
      `${type};charset=UTF-8`,
      `${type}; charset=latin1`,
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain',
      'application/vnd.a+json',
      'APPLICATION/JSON',
      'multipart/form-data; boundary=b',
      '',
    ),
  )
const bodyOf = fc.oneof(
  fc.tuple(json, typesOf('application/json')),
  fc.tuple(form, typesOf('application/x-www-form-urlencoded')),
)
const search = fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: query })
const withQuery = (path: string, text: string) => (text ? `${path}?${text}` : path)

/** A validation. */
export const post = fc
  .tuple(bodyOf, headers, search, mostly(fc.constant(false), fc.constant(true)))
  .map(([[text, type], given, searched, chunked]): Sent => {
    const length: Header = chunked
      ? ['Transfer-Encoding', 'chunked']
      : ['Content-Length', String(Buffer.byteLength(text))]
    const path = withQuery(operations.validatePurchase.path, searched)
    return { method: 'POST', path, headers: [...given, ['Content-Type', type], length], body: text }
  })
/** One of the three reads. */
export const get = fc
  .tuple(fc.constantFrom(operations.getAccount, operations.listItems, operations.getItem), query, headers)
  .map(
    ([{ path }, searched, given]): Sent => ({
      method: 'GET',
      path: withQuery(path, searched),
      headers: given,
    }),
  )
