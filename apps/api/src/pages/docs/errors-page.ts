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

const texts = {
  en: {
    title: 'Error codes',
    lead: 'The header <code>X-Error-Code</code> of a failure names its code. The body has a message for people.',
    ownMessage: 'the operation’s message',
    or: 'or',
    retryable: 'may pass by itself',
    messages: 'Messages of the operations',
    operation: 'Operation',
    navigation: 'Documentation',
    reference: 'API reference',
  },
  pt: {
    title: 'Códigos de erro',
    lead: 'O cabeçalho <code>X-Error-Code</code> de uma falha diz seu código. O corpo tem uma mensagem para pessoas.',
    ownMessage: 'a mensagem da operação',
    or: 'ou',
    retryable: 'pode passar por si só',
    messages: 'Mensagens das operações',
    operation: 'Operação',
    navigation: 'Documentação',
    reference: 'Referência da API',
  },
} as const satisfies Record<Locale, Record<string, string>>

const inLanguage = (tag: string, locale: Locale, value: string) =>
  `<${tag} lang="${locale}">${text(value)}</${tag}>`

const errorStatus = (code: ErrorCode) =>
  code === 'request_too_large' ? `${errors[code].status}, ${urlTooLongStatus}` : String(errors[code].status)

/** The messages that a code can have. The table below lists those of each operation. */
function listMessages(code: ErrorCode, page: Locale): string {
  const { message } = errors[code]
  const own = `<a href="#messages">${texts[page].ownMessage}</a>`
  if (code === 'invalid_parameter')
    return `${own}, ${texts[page].or} <q lang="en">${text(messages.en.general.invalid_request)}</q>`
  if (message === 'operation') return own
  const byLanguage = locales.map((locale) => [locale, messages[locale].general[message]] as const)
  const distinct = byLanguage.filter(
    ([, value], index) => byLanguage.findIndex(([, other]) => other === value) === index,
  )
  return distinct.map(([locale, value]) => inLanguage('q', locale, value)).join(' · ')
}

/** The explanation in the language of the page comes first: a seller forwards the other one to a customer. */
const languagesFrom = (page: Locale) => [page, ...locales.filter((locale) => locale !== page)]

const section = (page: Locale) => (code: ErrorCode) =>
  `<section id="${code}">
<h2><a href="#${code}">${code}</a></h2>
<p class="facts"><span class="status">${errorStatus(code)}</span> ${listMessages(code, page)}${
    errors[code].retryable ? ` · ${texts[page].retryable}` : ''
  }</p>
${languagesFrom(page)
  .map((locale) => inLanguage('p', locale, messages[locale].explanations[code]))
  .join('\n')}
</section>`

const operationRow = ({ method, path, message }: (typeof operationList)[number]) =>
  `<tr><th scope="row"><code>${method} ${path}</code></th>${locales
    .map((locale) => inLanguage('td', locale, message[locale]))
    .join('')}</tr>`

const languageNames: Record<Locale, string> = { en: 'English', pt: 'Português' }

const languageHeadings = locales
  .map((locale) => `<th scope="col" lang="${locale}">${languageNames[locale]}</th>`)
  .join('')

/** All error codes, explained in every language, each with an anchor. The rest of the page is in one language. */
export function errorsPage(locale: Locale): string {
  const t = texts[locale]
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${t.title} · Saleproof</title>
<link rel="icon" type="image/svg+xml" href="../favicon.ico">
<link rel="stylesheet" href="docs.css">
</head>
<body>
<header class="top">
<a class="brand" href="../"><img src="../favicon.ico" alt="" width="28" height="28">Saleproof</a>
<nav aria-label="${t.navigation}">
<a href="../docs">${t.reference}</a>
<a href="errors" aria-current="page">${t.title}</a>
<a href="../console">Console</a>
</nav>
</header>
<main class="page">
<h1>${t.title}</h1>
<p>${t.lead}</p>
<ul class="codes">
${errorCodes.map((code) => `<li><a href="#${code}">${code}</a></li>`).join('\n')}
</ul>
${errorCodes.map(section(locale)).join('\n')}
<section id="messages">
<h2>${t.messages}</h2>
<div class="wide"><table>
<thead><tr><th scope="col">${t.operation}</th>${languageHeadings}</tr></thead>
<tbody>
${operationList.map(operationRow).join('\n')}
</tbody>
</table></div>
</section>
</main>
</body>
</html>
`
}
