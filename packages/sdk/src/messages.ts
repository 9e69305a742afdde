import type { Locale } from '@saleproof/schema'
import { clientExplanations } from '@saleproof/schema/constants'
import type { ClientErrorCode, ErrorKind, SaleproofError } from './errors.ts'
import type { InvalidReason, UnknownCheck } from './types.ts'

/** Why a guard or a check says no. */
type Reason = InvalidReason | 'missing_code'

type Sentences = Readonly<Record<ErrorKind | ClientErrorCode | Reason, string>>

const en: Sentences = {
  ...clientExplanations.en,
  configuration: 'An option or an argument is invalid: the message of the error names it.',
  aborted: 'The program itself aborted the call.',
  timeout: 'The API did not respond in time; this says nothing about the key or the code.',
  connection:
    'No complete response arrived (name, network, certificate or connection); this says nothing about the key or the code.',
  invalid_response:
    'The response is not that of the API (a proxy, a cache, a login page, a wrong address); this says nothing about the key or the code.',
  authentication: 'The API refused the key.',
  not_found: 'The API found nothing.',
  rejected: 'The API refused the request.',
  server: clientExplanations.en.unavailable,
  malformed_code: 'The purchase code is malformed: empty, over 255 characters or with control characters.',
  wrong_item: 'The purchase code is of another item.',
  missing_code: 'The purchase code was not sent.',
  key_unavailable: 'The function `apiKey` gave no key; this says nothing about the key or the code.',
  redirected: 'The address redirects: use its target.',
  too_large: 'The response is too large; this says nothing about the key or the code.',
  unsigned_response:
    'The response has no pass of this workspace (a false server); this says nothing about the key or the code.',
}

const pt: Sentences = {
  ...clientExplanations.pt,
  configuration: 'Uma opção ou um argumento é inválido: a mensagem do erro diz qual.',
  aborted: 'O próprio programa interrompeu a chamada.',
  timeout: 'A API não respondeu a tempo; isso nada diz sobre a chave ou o código.',
  connection:
    'Não chegou uma resposta completa (nome, rede, certificado ou conexão); isso nada diz sobre a chave ou o código.',
  invalid_response:
    'A resposta não é a da API (um proxy, um cache, uma página de login, um endereço errado); isso nada diz sobre a chave ou o código.',
  authentication: 'A API recusou a chave.',
  not_found: 'A API não encontrou nada.',
  rejected: 'A API recusou a requisição.',
  server: clientExplanations.pt.unavailable,
  malformed_code:
    'O código de compra é malformado: vazio, com mais de 255 caracteres ou com caracteres de controle.',
  wrong_item: 'O código de compra é de outro item.',
  missing_code: 'O código de compra não foi enviado.',
  key_unavailable: 'A função `apiKey` não deu uma chave; isso nada diz sobre a chave ou o código.',
  redirected: 'O endereço redireciona: use o destino.',
  too_large: 'A resposta é grande demais; isso nada diz sobre a chave ou o código.',
  unsigned_response:
    'A resposta não tem um passe deste workspace (um servidor falso); isso nada diz sobre a chave ou o código.',
}

/**
 * Explains an error, a check that is not valid, or why a guard denies a request, and says what to do, in English or Portuguese. Holds
 * nothing of the request.
 *
 * @example
 * if (check.outcome !== 'valid') console.error(explain(check, 'pt'))
 */
export function explain(
  subject: Pick<SaleproofError, 'kind' | 'code'> | { readonly reason: Reason } | Pick<UnknownCheck, 'error'>,
  locale: Locale = 'en',
): string {
  const sentences: Sentences & Readonly<Record<string, string>> = locale === 'pt' ? pt : en
  const failure: { kind: ErrorKind; code?: string; reason?: string } = Object(
    'error' in subject ? subject.error : subject,
  )
  const { kind, code = kind, reason = code } = failure
  return (Object.hasOwn(sentences, reason) && sentences[reason]) || sentences[kind]
}
