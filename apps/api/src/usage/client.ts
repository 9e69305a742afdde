const header = 'user-agent'
const maxLength = 64

/** A product as in RFC 9110, `name/version`, which most programs start with; of the version, up to three numbers. */
const product = /^([A-Za-z][A-Za-z_-]*\d?[A-Za-z_-]*)(?=[/\s]|$)(?:\/(\d{1,4}(?:\.\d{1,4}){0,2}))?/

const maxNameLength = 24
/** A longer word without a version may be a purchase code. */
const maxBareNameLength = 11

/** The `User-Agent` of raw headers: reading it through `headers` would build an object of all of them. */
export function userAgentIn(rawHeaders: readonly string[]): string {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === header.length && name.toLowerCase() === header) return rawHeaders[index + 1] ?? ''
  }
  return ''
}

/**
 * The client program that a `User-Agent` names, such as `curl/8.5.0`, or `''`. Everything after the first product is dropped, and so is
 * what does not look like one: callers put addresses there, and by mistake keys and codes.
 */
export function readClient(userAgent: string): string {
  const [, name = '', version] = product.exec(userAgent.slice(0, maxLength)) ?? []
  if (version !== undefined) return name.length <= maxNameLength ? `${name}/${version}` : ''
  return name.length <= maxBareNameLength ? name : ''
}
