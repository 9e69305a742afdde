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

/** What the OpenAPI document says in English, in another language: by the names that it has. */
interface DocumentTexts {
  tags: Readonly<Record<string, string>>
  operations: Readonly<Record<DocumentedOperation, OperationTexts>>
  parameterTexts: Readonly<Record<ParameterName, string>>
  requestTexts: Readonly<Record<string, string>>
  responseTexts: Readonly<Record<string, string>>
  statuses: Readonly<Record<number, string>>
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
  },
  parameters: {
    title: 'Parameters',
    none: 'None.',
    required: 'required',
    places: { query: 'query', header: 'header', body: 'body' },
  },
  responses: {
    title: 'Responses',
    example: 'Example response',
    shape: 'Shape',
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

export type DocsMessages = typeof docs & Partial<DocumentTexts>
