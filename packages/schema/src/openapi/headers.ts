import { headerNames, locales } from '../constants.ts'
import type { HeaderObject, Reference } from './types.ts'

const header = (description: string, required: boolean, schema: HeaderObject['schema']): HeaderObject => ({
  description,
  required,
  schema,
})

/** Headers that more than one answer has. */
export const componentHeaders: Record<string, HeaderObject> = {
  [headerNames.requestId]: header('Names this request in the logs of the service.', true, {
    type: 'string',
    pattern: '^[A-Za-z0-9._-]{1,64}$',
  }),
  'Content-Language': header('The language of messages.', true, { type: 'string', enum: [...locales] }),
  ETag: header('Names this answer, for `If-None-Match`. Each encoding and language has its own.', true, {
    type: 'string',
    pattern: '^(W/)?"[^"]+"$',
  }),
  Vary: header('What the answer depends on.', true, {
    type: 'string',
    const: 'Authorization, X-Api-Key, Accept-Language, Accept-Encoding',
  }),
  'Cache-Control': header('Ask before using it again.', true, { type: 'string', const: 'private, no-cache' }),
  'No-Store': header('Never kept.', true, { type: 'string', const: 'no-store' }),
  RateLimit: header(
    'What is left of the limit, and for how many seconds, where one is set (draft-ietf-httpapi-ratelimit-headers).',
    false,
    {
      type: 'string',
      pattern: '^"[a-z-]+";r=(0|[1-9][0-9]{0,14});t=[1-9][0-9]{0,14}$',
      examples: ['"requests";r=599;t=60'],
    },
  ),
  'RateLimit-Policy': header(
    'The limit that the answer is about, where one is set: so many in so many seconds (draft-ietf-httpapi-ratelimit-headers).',
    false,
    {
      type: 'string',
      pattern: '^"[a-z-]+";q=[1-9][0-9]{0,14};w=[1-9][0-9]{0,14}$',
      examples: ['"requests";q=600;w=60', '"failures";q=30;w=60', '"key-failures";q=600;w=600'],
    },
  ),
  'Retry-After': header('Seconds to wait before the next try.', true, { type: 'integer', minimum: 0 }),
  'WWW-Authenticate': header('How to send a key.', true, { type: 'string', const: 'Bearer' }),
}

const reference = (name: string): Reference => ({ $ref: `#/components/headers/${name}` })
const references = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, reference(name)]))

export const noStore = { 'Cache-Control': reference('No-Store') }
export const requestIdHeader = references([headerNames.requestId])
export const retryAfter = references(['Retry-After'])
export const wwwAuthenticate = references(['WWW-Authenticate'])
export const rateLimit = references(['RateLimit', 'RateLimit-Policy'])
export const contentLanguage = references(['Content-Language'])

/** The headers of an answer that may be kept and asked for again with its tag. */
export const revalidated = references(['Cache-Control', 'ETag', 'Vary'])
