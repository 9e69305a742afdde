import { routes } from '@saleproof/schema/constants'

const accountPath = routes.getAccount.path
const validationPath = routes.validatePurchase.path

/** A command that shows whether a key works. */
export function curlFor(publicUrl: string, apiKey: string, kind: 'secret' | 'publishable'): string {
  const header = `-H 'Authorization: Bearer ${apiKey}'`
  return kind === 'secret'
    ? `curl ${publicUrl}${accountPath} ${header}`
    : `curl ${publicUrl}${validationPath} ${header} -d purchase_code=CODE`
}

const curl = (url: string) => `curl ${url}${validationPath} \\
  -H "Authorization: Bearer $SALEPROOF_API_KEY" \\
  --data-urlencode "purchase_code=$CODE"
`

const javaScript = (url: string, unknown: string) => `// npm install @saleproof/sdk
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

/** Programs that validate a purchase code, ready to run. */
export const snippetsFor = (publicUrl: string, unknownComment: string) => ({
  curl: curl(publicUrl),
  JavaScript: javaScript(publicUrl, unknownComment),
  PHP: php(publicUrl, unknownComment),
})
