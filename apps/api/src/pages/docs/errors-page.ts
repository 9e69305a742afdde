import {
  type ErrorCode,
  errorCodes,
  errors,
  type Locale,
  locales,
  messages,
  urlTooLongStatus,
} from '@saleproof/schema'
import { text } from './html.ts'

const texts = {
  en: {
    title: 'Error codes',
    lead: 'The header <code>X-Error-Code</code> of a failure names its code.',
    retryable: 'may pass by itself',
    navigation: 'Documentation',
    reference: 'API reference',
  },
  pt: {
    title: 'Códigos de erro',
    lead: 'O cabeçalho <code>X-Error-Code</code> de uma falha diz seu código.',
    retryable: 'pode passar por si só',
    navigation: 'Documentação',
    reference: 'Referência da API',
  },
} as const satisfies Record<Locale, Record<string, string>>

const errorStatus = (code: ErrorCode) =>
  code === 'request_too_large' ? `${errors[code].status}, ${urlTooLongStatus}` : String(errors[code].status)

/** The explanation in the language of the page comes first: a seller forwards the other one to a customer. */
const languagesFrom = (page: Locale) => [page, ...locales.filter((locale) => locale !== page)]

const section = (page: Locale) => (code: ErrorCode) =>
  `<section id="${code}">
<h2><a href="#${code}">${code}</a></h2>
<p class="facts"><span class="status">${errorStatus(code)}</span>${
    errors[code].retryable ? ` · ${texts[page].retryable}` : ''
  }</p>
${languagesFrom(page)
  .map((locale) => `<p lang="${locale}">${text(messages[locale].explanations[code])}</p>`)
  .join('\n')}
</section>`

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
</main>
</body>
</html>
`
}
