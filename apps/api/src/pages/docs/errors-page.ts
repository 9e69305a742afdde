import {
  type ErrorCode,
  errorCodes,
  errors,
  type Locale,
  locales,
  messages,
  operationList,
  urlTooLongStatus,
} from '@saleproof/schema'
import { text } from './html.ts'

const inLanguage = (tag: string, locale: Locale, value: string) =>
  `<${tag} lang="${locale}">${text(value)}</${tag}>`

const statusOf = (code: ErrorCode) =>
  code === 'request_too_large' ? `${errors[code].status}, ${urlTooLongStatus}` : String(errors[code].status)

/** The messages that a code can have. The table below lists those of each operation. */
function messagesOf(code: ErrorCode): string {
  const { message } = errors[code]
  const own = '<a href="#messages">the operation’s message</a>'
  if (code === 'invalid_parameter') return `${own}, or <q>${text(messages.en.general.invalid_request)}</q>`
  if (message === 'operation') return own
  const byLanguage = locales.map((locale) => [locale, messages[locale].general[message]] as const)
  const distinct = byLanguage.filter(
    ([, value], index) => byLanguage.findIndex(([, other]) => other === value) === index,
  )
  return distinct.map(([locale, value]) => inLanguage('q', locale, value)).join(' · ')
}

const section = (code: ErrorCode) => `<section id="${code}">
<h2><a href="#${code}">${code}</a></h2>
<p class="facts"><span class="status">${statusOf(code)}</span> ${messagesOf(code)}${
  errors[code].retryable ? ' · may pass by itself' : ''
}</p>
${locales.map((locale) => inLanguage('p', locale, messages[locale].explanations[code])).join('\n')}
</section>`

const operationRow = ({ method, path, message }: (typeof operationList)[number]) =>
  `<tr><th scope="row"><code>${method} ${path}</code></th>${locales
    .map((locale) => inLanguage('td', locale, message[locale]))
    .join('')}</tr>`

const languageNames: Record<Locale, string> = { en: 'English', pt: 'Português' }

const languageHeadings = locales
  .map((locale) => `<th scope="col" lang="${locale}">${languageNames[locale]}</th>`)
  .join('')

/** All error codes in every language, each with an anchor. */
export const errorsPage = (): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Saleproof error codes</title>
<link rel="icon" type="image/svg+xml" href="../favicon.ico">
<link rel="stylesheet" href="docs.css">
</head>
<body>
<nav class="top" aria-label="Documentation">
<a href="../docs">Reference</a>
<a href="errors" aria-current="page">Error codes</a>
<a href="../openapi.json">openapi.json</a>
</nav>
<main class="page">
<h1>Error codes</h1>
<p>The header <code>X-Error-Code</code> of a failure names its code; the body has a message for people.</p>
<p lang="pt">O cabeçalho <code>X-Error-Code</code> de uma falha diz seu código; o corpo tem uma mensagem para pessoas.</p>
<ul class="codes">
${errorCodes.map((code) => `<li><a href="#${code}">${code}</a></li>`).join('\n')}
</ul>
${errorCodes.map(section).join('\n')}
<section id="messages">
<h2>Messages of the operations</h2>
<div class="wide"><table>
<thead><tr><th scope="col">Operation</th>${languageHeadings}</tr></thead>
<tbody>
${operationList.map(operationRow).join('\n')}
</tbody>
</table></div>
</section>
</main>
</body>
</html>
`
