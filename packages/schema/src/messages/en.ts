import type { ErrorCode } from '../errors.ts'
import { clientExplanations, requestExplanations } from './explanations-en.ts'
import { generalMessages } from './general.ts'

/** The English texts. They are the type of every other language: what is missing there does not compile. */
export const en = {
  general: generalMessages.en,
  explanations: { ...clientExplanations, ...requestExplanations },
  issues: {
    required: 'is required',
    unknown: 'is not known here',
    type: 'has the wrong type',
    text: 'must be a string',
    well_formed: 'must be well-formed Unicode without U+0000',
    not_empty: 'must not be empty',
    boolean: 'must be true or false',
    list: 'must be a list',
    link: 'must be an absolute http(s) URL',
    timestamp: 'must be an ISO 8601 date and time with its offset, such as 2024-04-27T12:00:00Z',
    currency: 'must be the code of an ISO 4217 currency that has a minor unit, such as USD',
    amount: 'must be an amount, such as 19.99',
    amount_negative: 'must not be negative',
    amount_decimals: 'has more decimals than its currency',
    amount_range: 'is larger than can be kept exactly',
    version: 'must be three numbers with dots between them, such as 1.4.2',
    item_id: 'must be a whole number from 1 to 9007199254740991',
    shape: 'must be base or extended',
    credential_length: 'must have at most 255 characters',
  },
} as const satisfies {
  general: Record<string, string>
  explanations: Record<ErrorCode, string>
  issues: Record<string, string>
}

/** The texts of one language. */
export type Messages = {
  readonly [Group in keyof typeof en]: { readonly [Key in keyof (typeof en)[Group]]: string }
}
