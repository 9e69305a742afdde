import type { Messages } from './en.ts'
import { clientExplanations, requestExplanations } from './explanations-pt.ts'
import { generalMessages } from './general.ts'

/** The Portuguese texts. `Invalid request` is the same in both languages: the contract says so. */
export const pt = {
  general: generalMessages.pt,
  explanations: { ...clientExplanations, ...requestExplanations },
  issues: {
    required: 'é obrigatório',
    unknown: 'não é conhecido aqui',
    type: 'tem o tipo errado',
    text: 'deve ser um texto',
    well_formed: 'deve ser Unicode bem formado, sem U+0000',
    not_empty: 'não pode estar vazio',
    boolean: 'deve ser true ou false',
    list: 'deve ser uma lista',
    link: 'deve ser uma URL http(s) absoluta',
    timestamp: 'deve ser uma data e hora ISO 8601 com seu deslocamento, como 2024-04-27T12:00:00Z',
    currency: 'deve ser o código de uma moeda ISO 4217 que tenha unidade menor, como USD',
    amount: 'deve ser um valor, como 19.99',
    amount_negative: 'não pode ser negativo',
    amount_decimals: 'tem mais casas decimais que sua moeda',
    amount_range: 'é maior do que se pode guardar com exatidão',
    version: 'deve ser três números separados por pontos, como 1.4.2',
    item_id: 'deve ser um número inteiro de 1 a 9007199254740991',
    shape: 'deve ser base ou extended',
    credential_length: 'deve ter no máximo 255 caracteres',
  },
} as const satisfies Messages
