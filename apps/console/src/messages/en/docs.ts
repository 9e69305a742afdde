import type { ErrorCode, OperationName, ParameterName } from '@saleproof/schema/constants'

interface OperationTexts {
  title: string
  text: string
  /** What a status means that has no error code, where it is not the same for every operation. */
  statuses?: Readonly<Record<number, string>>
  /** What an error means here, where it is not what it means elsewhere. */
  errors?: Readonly<Partial<Record<ErrorCode, string>>>
}

/** The operations of the OpenAPI document. */
type DocumentedOperation = OperationName | 'importRecords' | 'getSigningKeys' | 'getHealth' | 'getReadiness'

const operations: Readonly<Record<DocumentedOperation, OperationTexts>> = {
  getAccount: {
    title: 'Read the account',
    text: 'The seller who owns the workspace of the key. The same in both shapes. Needs a secret key.',
  },
  listItems: {
    title: 'List the items',
    text: 'All items of the workspace, newest first. Needs a secret key.',
  },
  getItem: { title: 'Read an item', text: 'One item by its ID. Needs a secret key.' },
  validatePurchase: {
    title: 'Validate a purchase code',
    text: 'The purchase that the code proves. Only active purchases validate: one that was refunded or revoked is a 404. Also works with a publishable key, for purchases of the items that it is limited to.',
  },
  importRecords: {
    title: 'Import records',
    text: 'For operators: stores items, sales and refunds of a shop elsewhere. The body is one JSON object per line in the format of `saleproof import`, at most 16 MiB. Needs the token in `ADMIN_TOKEN`, and exists only where that is set. Stores all of the records or nothing; sending them again changes nothing.',
    statuses: {
      200: 'All of the records are stored. `warnings` lists codes that can be guessed.',
      422: 'Some records are wrong, and nothing is stored. `problems` lists the first 20 by line and field.',
    },
    errors: {
      missing_api_key: 'No token was sent: send it as “Authorization: Bearer TOKEN”.',
      invalid_api_key: 'This is not the token in “ADMIN_TOKEN”.',
      route_not_found: 'The service runs without “ADMIN_TOKEN”.',
      malformed_body: 'The body ended early.',
      body_too_large: 'The body is larger than 16 MiB: send it in parts.',
      unsupported_media_type: 'The body is compressed: send it plain.',
      unavailable:
        'Another writer holds the database, or it cannot be reached. Nothing is stored: send the records again after “Retry-After” seconds.',
    },
  },
  getSigningKeys: {
    title: 'Read the public keys of passes',
    text: 'The keys that sign passes, and those that were retired in the last 90 days, as a JSON Web Key Set. A program ships its keys and does not fetch them. Needs no key; pages of any origin may read it.',
  },
  getHealth: { title: 'Liveness', text: 'Whether the process is alive. Needs no key.' },
  getReadiness: {
    title: 'Readiness',
    text: 'Whether the service is ready: its database, migrations and secret. Needs no key.',
    statuses: { 200: 'The service is ready.', 503: 'The service is not ready, or is stopping.' },
  },
}

/** The texts of the API reference. Not in `en`, because the console does not show them. Backticks mark code. */
export const docs = {
  title: 'API reference',
  lead: 'Read the account and the items of a workspace, and validate purchase codes: HTTP, JSON and one API key.',
  version: (version: string) => `Version ${version}`,
  nav: {
    label: 'API reference',
    contents: 'Contents',
    start: 'Start page',
    console: 'Console',
    errors: 'Error codes',
  },
  basics: {
    title: 'Basics',
    baseUrl: 'Base URL',
    points: [
      'Every response of the four operations is a JSON object whose `status` is `success` or `error`.',
      'Items and purchases come in two shapes, `base` and `extended`. The parameter `shape` selects one; without it the default of the workspace applies.',
      'Messages are in English or Portuguese, by `Accept-Language`.',
      'HEAD works wherever GET does: the same status and headers, without a body.',
      'Accept unknown fields: later versions may add some.',
    ],
  },
  authentication: {
    title: 'Authentication',
    text: 'Send the API key of a workspace with every request, in one of these ways:',
    ways: {
      'Authorization: Bearer KEY': 'The preferred way.',
      'X-Api-Key: KEY': 'Where a proxy needs `Authorization` for itself.',
      'api_key=KEY': 'In the body of a POST, or in the query. URLs are written to logs: prefer a header.',
    },
    kinds:
      'A secret key can call every operation: keep it on a server. A publishable key validates codes only, also from a web page of any origin (CORS).',
    create: 'Create a key in the console',
  },
  errors: {
    title: 'Errors',
    text: 'A failure has a message for people in its body, and its reason for programs in the header `X-Error-Code`. The header `Link` leads to its explanation.',
    unknown:
      'A 429 or a 5xx says nothing about the key or the code: never take it for “invalid”. Wait as many seconds as `Retry-After` says, and try again.',
    example: 'Example of a failure',
    all: 'All error codes',
    ofEvery: (count: number) => `Errors of every operation (${count})`,
  },
  headers: {
    title: 'Headers',
    request: 'Of requests',
    response: 'Of responses',
    requestTexts: {
      'Accept-Language': 'The language of messages: the best match among `en` and `pt`.',
      'If-None-Match':
        'The `ETag` of a response that you still have. If it is unchanged, the response is a 304 without a body.',
      'X-Request-Id':
        'Your own ID of the request, 1 to 64 characters of `A-Z a-z 0-9 . _ -`. The response repeats it.',
      Prefer: '`pass=` and what the parameter `pass` takes.',
    },
    responseTexts: {
      'X-Purchase-Pass':
        'The pass, if the request named a signing key of the workspace: a JWS that proves the response to a program. The public keys are at `/.well-known/jwks.json`.',
      'X-Request-Id': 'The ID of the request in the logs of the service.',
      'Content-Language': 'The language of the message.',
      ETag: 'The tag of the response, for `If-None-Match`. Each encoding and language has its own.',
      Vary: 'The request headers that the response depends on.',
      'Cache-Control':
        '`private, no-cache`: ask again with `If-None-Match` before reuse. `no-store`: validations and failures, which must not be stored.',
      RateLimit: 'What is left of the rate limit, and the seconds until it resets: `"requests";r=599;t=60`.',
      'RateLimit-Policy': 'The rate limit, as requests per seconds: `"requests";q=600;w=60`.',
      'Retry-After': 'The seconds to wait before the next attempt.',
      'Access-Control-Allow-Origin':
        'Pages of any origin may read the response. Missing where a secret key was sent: it has no place in a browser.',
      'Access-Control-Expose-Headers': 'The headers that such a page may read.',
      'WWW-Authenticate': 'How to send a key.',
      'X-Error-Code': 'The reason of a failure, for programs.',
      Link: 'The page that explains the error.',
      Allow: 'The methods of the path.',
    },
  },
  tags: {
    account: 'Account',
    items: 'Items',
    purchases: 'Purchases',
    admin: 'Administration',
    health: 'Health',
  },
  operations,
  parameters: {
    title: 'Parameters',
    none: 'None.',
    required: 'required',
    places: { query: 'query', header: 'header', body: 'body' },
    texts: {
      api_key: 'The API key, if no header holds it.',
      item_id: 'Decimal digits without a leading zero.',
      purchase_code: 'As the buyer entered it. Better in the body: URLs are written to logs.',
      shape: 'The shape of items and purchases. Without it the default of the workspace applies.',
      pass: 'The ids of the signing keys that you trust, separated by commas: a valid response carries a pass in `X-Purchase-Pass`.',
    } satisfies Record<ParameterName, string>,
  },
  responses: {
    title: 'Responses',
    example: 'Example response',
    shape: 'Shape',
    statuses: {
      200: 'Success.',
      304: 'Unchanged since the response whose `ETag` is in `If-None-Match`. No body.',
    },
  },
  samples: { title: 'Sample', copy: 'Copy code' },
  copyPath: 'Copy path',
  tryIt: {
    open: 'Try it',
    hide: 'Close',
    openNamed: (title: string) => `Try it: ${title}`,
    key: 'API key',
    token: 'Admin token',
    credentialHint: 'Kept in the memory of this page only. It is never stored, and is gone when you leave.',
    shapeDefault: 'Default of the workspace',
    records: 'Records, one JSON object per line',
    warning: 'This changes the data of this service.',
    confirm: 'I want to store these records in this service',
    send: 'Send the request',
    result: 'Response of the service',
    headers: 'Response headers',
    body: 'Response body',
    noBody: 'No body.',
    shortened: 'Only the first 100,000 characters are shown.',
    failed: 'There was no response. Check your connection and try again.',
  },
}

export type DocsMessages = typeof docs
