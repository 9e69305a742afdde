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

// By the body as well as the status: a proxy or a captive portal may send any status.
const curl = (
  url: string,
  unknown: string,
) => `response=$(curl --silent --max-time 5 ${url}${validationPath} \\
  --header "Authorization: Bearer $SALEPROOF_API_KEY" \\
  --data-urlencode "purchase_code=$CODE" \\
  --write-out '\\n%{http_code} %header{x-error-code}') || response=

case $response in
  '{"status":"success","data":{"purchase":'*'200 ') echo valid ;;
  '{"status":"error",'*'404 purchase_not_found' | '{"status":"error",'*'404 purchase_not_active') echo invalid ;;
  # ${unknown}
  *) echo unknown ;;
esac
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
// ${url}/docs/saleproof.php
require_once __DIR__ . '/saleproof.php';

$saleproof = new \\Saleproof\\Client([
    'base_url' => '${url}',
    'api_key' => getenv('SALEPROOF_API_KEY'),
    'on_unknown' => 'deny',
]);
$check = $saleproof->check(getenv('CODE'));

if ($check->outcome === 'valid') {
    echo $check->purchase['item']['name'];
} elseif ($check->outcome === 'invalid') {
    echo $check->reason;
} else {
    // ${unknown}
    echo $check->error->kind;
}
`

/** Programs that validate a purchase code, ready to run. */
export const snippetsFor = (publicUrl: string, unknownComment: string) => ({
  curl: curl(publicUrl, unknownComment),
  JavaScript: javaScript(publicUrl, unknownComment),
  PHP: php(publicUrl, unknownComment),
})
