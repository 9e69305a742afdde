import { isErrorCode, type Locale, type Messages, messages } from '@saleproof/schema'
import type { SaleproofError } from './errors.ts'

const own = {
  en: {
    configuration: 'An option or an argument is invalid: the message of the error names it.',
    aborted: 'The call was aborted by the program itself.',
    timeout: 'The API did not respond in time; this says nothing about the key or the code.',
    connection:
      'No complete response arrived (name, network, certificate or connection); this says nothing about the key or the code.',
    invalid_response:
      'The response is not from the API (a proxy, a login page, a wrong address); this says nothing about the key or the code.',
    authentication: 'The API refused the key.',
    not_found: 'The API found nothing.',
    rate_limited: messages.en.explanations.rate_limited,
    rejected: 'The API refused the request.',
    server: messages.en.explanations.internal_error,
    malformed_code: 'The purchase code is malformed: empty, over 255 characters or with control characters.',
    key_unavailable: 'The function that returns the API key failed.',
    redirected: 'The address redirects: use its target instead; a key is never sent to a redirect target.',
  },
  pt: {
    configuration: 'Uma opção ou um argumento é inválido: a mensagem do erro diz qual.',
    aborted: 'A chamada foi interrompida pelo próprio programa.',
    timeout: 'A API não respondeu a tempo; isso nada diz sobre a chave ou o código.',
    connection:
      'Não chegou uma resposta completa (nome, rede, certificado ou conexão); isso nada diz sobre a chave ou o código.',
    invalid_response:
      'A resposta não é da API (um proxy, uma página de login, um endereço errado); isso nada diz sobre a chave ou o código.',
    authentication: 'A API recusou a chave.',
    not_found: 'A API não encontrou nada.',
    rate_limited: messages.pt.explanations.rate_limited,
    rejected: 'A API recusou a requisição.',
    server: messages.pt.explanations.internal_error,
    malformed_code:
      'O código de compra é malformado: vazio, com mais de 255 caracteres ou com caracteres de controle.',
    key_unavailable: 'A função que retorna a chave de API falhou.',
    redirected:
      'O endereço redireciona: use o destino; uma chave nunca é enviada ao destino de um redirecionamento.',
  },
} as const satisfies Record<Locale, Record<SaleproofError['kind'], string> & Record<string, string>>

/**
 * Explains an error and what to do, in English or Portuguese. Holds nothing of the request.
 *
 * @example
 * console.error(explain(error, 'pt'))
 */
export function explain(error: Pick<SaleproofError, 'kind' | 'code'>, locale: Locale = 'en'): string {
  const { kind, code = '' } = error
  const explanations: Messages['explanations'] = messages[locale].explanations
  if (isErrorCode(code)) return explanations[code]
  const sentences: Record<string, string> = own[locale]
  return (Object.hasOwn(sentences, code) ? sentences[code] : sentences[kind])!
}
