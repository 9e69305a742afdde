import type { operations } from '@saleproof/schema'

type Operations = typeof operations

// Not imported: with the operations would come the schemas of all that they answer.
const accountPath: Operations['getAccount']['path'] = '/api/account/details'
const validationPath: Operations['validatePurchase']['path'] = '/api/purchases/validation'

/** One line that shows at once whether a key works. */
export function lineFor(publicUrl: string, apiKey: string, kind: 'secret' | 'publishable'): string {
  const header = `-H 'Authorization: Bearer ${apiKey}'`
  return kind === 'secret'
    ? `curl ${publicUrl}${accountPath} ${header}`
    : `curl ${publicUrl}${validationPath} ${header} -d purchase_code=CODE`
}

const curl = (url: string) => `curl ${url}${validationPath} \\
  -H "Authorization: Bearer $SALEPROOF_API_KEY" \\
  --data-urlencode "purchase_code=$CODE"
`

const sdk = (url: string, unknown: string) => `// npm install @saleproof/sdk
import { createClient } from '@saleproof/sdk'

const client = createClient({
  baseUrl: '${url}',
  apiKey: process.env.SALEPROOF_API_KEY,
})
const check = await client.checkPurchase(process.env.CODE)

if (check.outcome === 'valid') console.log(check.purchase.item.name)
if (check.outcome === 'invalid') console.log(check.reason)
// ${unknown}
if (check.outcome === 'unknown') console.log(check.error.kind)
`

const php = (url: string, unknown: string) => `<?php
$curl = curl_init('${url}${validationPath}');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 5,
    CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('SALEPROOF_API_KEY')],
    CURLOPT_POSTFIELDS => ['purchase_code' => getenv('CODE')],
]);
$body = curl_exec($curl);
$status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);

if ($status === 200) {
    echo json_decode($body, true)['data']['purchase']['item']['name'];
} elseif ($status === 400 || $status === 404) {
    echo json_decode($body, true)['msg'];
} else {
    // ${unknown}
}
`

/** Programs that validate a code, to be taken as they are. */
export const snippetsFor = (publicUrl: string, texts: { unknown: string }) =>
  [
    { id: 'curl', name: 'curl', text: curl(publicUrl) },
    { id: 'sdk', name: 'JavaScript', text: sdk(publicUrl, texts.unknown) },
    { id: 'php', name: 'PHP', text: php(publicUrl, texts.unknown) },
  ] as const
