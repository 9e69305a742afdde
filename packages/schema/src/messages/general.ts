import type { Locale } from '../constants.ts'
import type { GeneralMessage } from '../errors.ts'

/** The `msg` of failures that are not an operation's own, by language. In a module of its own, so that mock APIs bundle no more. */
export const generalMessages = {
  en: {
    invalid_request: 'Invalid request',
    not_found: 'Not found',
    method_not_allowed: 'Method not allowed',
    too_many_requests: 'Too many requests',
    internal_error: 'Internal server error',
    unavailable: 'Service unavailable',
  },
  pt: {
    invalid_request: 'Invalid request',
    not_found: 'Não encontrado',
    method_not_allowed: 'Método não permitido',
    too_many_requests: 'Muitas requisições',
    internal_error: 'Erro interno do servidor',
    unavailable: 'Serviço indisponível',
  },
} as const satisfies Record<Locale, Record<GeneralMessage, string>>
