import { type ReadBody, readBody } from './body.ts'

/** What a client uses of its platform. Given, so that a bundle holds what its platform needs alone. */
export interface Platform {
  readonly readBody: ReadBody
  /** The parameters as a form; may set its header. */
  readonly encode: (
    parameters: Readonly<Record<string, string>>,
    headers: Record<string, string>,
  ) => string | URLSearchParams
  /** A URL in its normal form; `false` of what is no URL. */
  readonly parseUrl: (url: string) => string | false
}

/** Servers. */
export const server: Platform = {
  readBody,
  encode: (parameters) => new URLSearchParams(parameters),
  parseUrl: (url) => URL.canParse(url) && new URL(url).href,
}
