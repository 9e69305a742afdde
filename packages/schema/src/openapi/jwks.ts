import { requestIdHeader } from './headers.ts'
import type { OperationObject } from './types.ts'

const member = { type: 'string' } as const

/** The public keys of passes. */
export const jwks: OperationObject = {
  operationId: 'getSigningKeys',
  tags: ['purchases'],
  summary: 'Read the public keys of passes',
  description:
    'The keys that sign passes, and those that were retired in the last 90 days, as a JSON Web Key Set. A program ships its keys and does not fetch them. Needs no key; pages of any origin may read it.',
  security: [],
  parameters: [],
  responses: {
    200: {
      description: 'A JSON Web Key Set.',
      headers: {
        ...requestIdHeader,
        'Access-Control-Allow-Origin': {
          description: 'Pages of any origin may read this response.',
          required: true,
          schema: { type: 'string', const: '*' },
        },
        'Cache-Control': {
          description: 'May be kept for five minutes.',
          required: true,
          schema: { type: 'string', const: 'public, max-age=300' },
        },
      },
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              keys: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: {
                    kty: { const: 'OKP' },
                    crv: { const: 'Ed25519' },
                    use: { const: 'sig' },
                    alg: { const: 'EdDSA' },
                    kid: member,
                    x: member,
                  },
                  required: ['kty', 'crv', 'use', 'alg', 'kid', 'x'],
                },
              },
            },
            required: ['keys'],
          },
          examples: {
            response: {
              summary: 'One key',
              value: {
                keys: [
                  {
                    kty: 'OKP',
                    crv: 'Ed25519',
                    use: 'sig',
                    alg: 'EdDSA',
                    kid: 'If4x36FUomFia_hU',
                    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
                  },
                ],
              },
            },
          },
        },
      },
    },
  },
}
