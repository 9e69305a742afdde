import { snippetsFor } from '../pages/api-access/snippets.ts'
import type { Operation } from './reference.ts'

export const sampleLanguages = ['curl', 'JavaScript', 'PHP'] as const
export type SampleLanguage = (typeof sampleLanguages)[number]

const variables = { key: 'SALEPROOF_API_KEY', token: 'ADMIN_TOKEN' } as const

/** Values for the parameters that an operation requires in its query. */
const exampleValues: Readonly<Record<string, string>> = { item_id: '101', purchase_code: 'CODE' }

/** The same for the arguments of a method. */
const exampleArguments: Readonly<Record<string, string>> = {
  item_id: '101',
  purchase_code: 'process.env.CODE',
}

const requiredIn = ({ parameters }: Operation, place: 'query' | 'body') =>
  parameters.filter(({ required, places }) => required && places.includes(place)).map(({ name }) => name)

function sampleUrl(operation: Operation, baseUrl: string): string {
  const names = operation.method === 'GET' ? requiredIn(operation, 'query') : []
  const query = names.map((name) => `${name}=${exampleValues[name] ?? ''}`).join('&')
  return `${baseUrl}${operation.path}${query && `?${query}`}`
}

function curl(operation: Operation, baseUrl: string): string {
  const { credential, exampleBody } = operation
  const header = credential === 'none' ? '' : `--header "Authorization: Bearer $${variables[credential]}"`
  const fields = operation.method === 'POST' ? requiredIn(operation, 'body') : []
  const parts = [
    `curl '${sampleUrl(operation, baseUrl)}'`,
    header,
    ...fields.map((name) => `--data-urlencode "${name}=$${exampleValues[name] ?? ''}"`),
    exampleBody === undefined ? '' : '--data-binary @sales.ndjson',
  ]
  return `${parts.filter(Boolean).join(' \\\n  ')}\n`
}

const javaScriptFetch = (url: string) => `const response = await fetch('${url}')
console.log(response.status, await response.json())
`

const javaScriptImport = (url: string) => `import { readFile } from 'node:fs/promises'

const response = await fetch('${url}', {
  method: 'POST',
  headers: { Authorization: \`Bearer \${process.env.${variables.token}}\` },
  body: await readFile('sales.ndjson'),
})
console.log(response.status, await response.json())
`

/** A method of the SDK has the name of its operation. */
const javaScriptClient = (operation: Operation, baseUrl: string) => `// npm install @saleproof/sdk
import { createClient } from '@saleproof/sdk'

const client = createClient({
  baseUrl: '${baseUrl}',
  apiKey: process.env.${variables.key},
})
console.log(await client.${operation.id}(${requiredIn(operation, 'query')
  .map((name) => exampleArguments[name] ?? '')
  .join(', ')}))
`

function javaScript(operation: Operation, baseUrl: string): string {
  if (operation.credential === 'key') return javaScriptClient(operation, baseUrl)
  const url = sampleUrl(operation, baseUrl)
  return operation.credential === 'token' ? javaScriptImport(url) : javaScriptFetch(url)
}

function php(operation: Operation, baseUrl: string): string {
  const { credential, exampleBody } = operation
  const options = [
    'CURLOPT_RETURNTRANSFER => true,',
    'CURLOPT_TIMEOUT => 10,',
    credential !== 'none' &&
      `CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('${variables[credential]}')],`,
    exampleBody !== undefined && "CURLOPT_POSTFIELDS => file_get_contents('sales.ndjson'),",
  ]
  return `<?php
$curl = curl_init('${sampleUrl(operation, baseUrl)}');
curl_setopt_array($curl, [
    ${options.filter(Boolean).join('\n    ')}
]);
$body = curl_exec($curl);
echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE), ' ', $body;
`
}

/** Programs that call an operation, ready to run. Those of a validation tell “invalid” from “unknown”. */
export function buildSamples(
  operation: Operation,
  { baseUrl, unknown }: { baseUrl: string; unknown: string },
): Record<SampleLanguage, string> {
  if (operation.id === 'validatePurchase') return snippetsFor(baseUrl, unknown)
  return {
    curl: curl(operation, baseUrl),
    JavaScript: javaScript(operation, baseUrl),
    PHP: php(operation, baseUrl),
  }
}
