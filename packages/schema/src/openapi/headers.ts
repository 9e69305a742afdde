import { headerNames, locales } from '../constants.ts'
import { cors } from '../cors.ts'
import type { HeaderObject, Reference } from './types.ts'

const header = (description: string, required: boolean, schema: HeaderObject['schema']): HeaderObject => ({
  description,
  required,
  schema,
})

/** Headers that several responses have. */
export const componentHeaders: Record<string, HeaderObject> = {
  [headerNames.requestId]: header(
    'The id of this request: your own where you sent one, else the one in the logs of the service.',
    true,
    {
      type: 'string',
      pattern: '^[A-Za-z0-9._-]{1,64}$',
    },
  ),
  [headerNames.pass]: header(
    'The pass, where the request named a signing key of the workspace: a compact JWS (EdDSA) that proves this response to a program.',
    false,
    { type: 'string', pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]{86}$' },
  ),
  'Content-Language': header('The language of messages.', true, { type: 'string', enum: [...locales] }),
  ETag: header(
    'The tag of this response, for `If-None-Match`. Each encoding and language has its own.',
    true,
    {
      type: 'string',
      pattern: '^(W/)?"[^"]+"$',
    },
  ),
  Vary: header('The request headers that the response depends on.', true, {
    type: 'string',
    const: 'Authorization, X-Api-Key, Accept-Language, Accept-Encoding',
  }),
  'Cache-Control': header('`private, no-cache`: must be revalidated before reuse.', true, {
    type: 'string',
    const: 'private, no-cache',
  }),
  'No-Store': header('`no-store`: must not be stored.', true, { type: 'string', const: 'no-store' }),
  RateLimit: header(
    'The rest of the rate limit and the seconds until it resets, where a limit is set, such as `"requests";r=599;t=60` (draft-ietf-httpapi-ratelimit-headers).',
    false,
    {
      type: 'string',
      pattern: '^"[a-z-]+";r=(0|[1-9][0-9]{0,14});t=[1-9][0-9]{0,14}$',
      examples: ['"requests";r=599;t=60'],
    },
  ),
  'RateLimit-Policy': header(
    'The rate limit of this response, where one is set: requests per seconds, such as `"requests";q=600;w=60` (draft-ietf-httpapi-ratelimit-headers).',
    false,
    {
      type: 'string',
      pattern: '^"[a-z-]+";q=[1-9][0-9]{0,14};w=[1-9][0-9]{0,14}$',
      examples: [
        '"requests";q=600;w=60',
        '"failures";q=30;w=60',
        '"key-failures";q=600;w=600',
        '"guesses";q=30;w=60',
      ],
    },
  ),
  'Retry-After': header('Seconds to wait before the next attempt.', true, { type: 'integer', minimum: 0 }),
  'Access-Control-Allow-Origin': header(
    'Pages of any origin may read this response. Missing where a secret key was sent: it has no place in a browser.',
    false,
    { type: 'string', const: '*' },
  ),
  'Access-Control-Expose-Headers': header('The headers that such a page may read.', false, {
    type: 'string',
    const: cors.exposed.join(', '),
  }),
  'WWW-Authenticate': header('How to send a key.', true, { type: 'string', const: 'Bearer' }),
}

const reference = (name: string): Reference => ({ $ref: `#/components/headers/${name}` })
const references = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, reference(name)]))

export const noStore = { 'Cache-Control': reference('No-Store') }
export const requestIdHeader = references([headerNames.requestId])
export const passHeader = references([headerNames.pass])
export const retryAfter = references(['Retry-After'])
export const wwwAuthenticate = references(['WWW-Authenticate'])
export const rateLimit = references(['RateLimit', 'RateLimit-Policy'])
export const crossOrigin = references(['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'])
export const contentLanguage = references(['Content-Language'])

/** The headers of a response that may be stored and revalidated. */
export const revalidated = references(['Cache-Control', 'ETag', 'Vary'])
