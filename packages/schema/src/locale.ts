/** The languages that messages exist in; the first is the default of a deployment. */
export const locales = ['en', 'pt'] as const

/** A language of messages: `en` or `pt`. */
export type Locale = (typeof locales)[number]
