const [field, longestRead] = ['user-agent', 64]

/** A product as RFC 9110 has it, `name/version`, which most programs begin with; of the version three numbers. */
const product = /^([A-Za-z][A-Za-z_-]*\d?[A-Za-z_-]*)(?=[/\s]|$)(?:\/(\d{1,4}(?:\.\d{1,4}){0,2}))?/

const longestName = 24
/** A word without a version that is longer may be a purchase code that somebody put there. */
const longestBareName = 11

/** The `User-Agent` among headers as they came: to ask for one by its name makes an object of all. */
export function userAgentIn(rawHeaders: readonly string[]): string {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.length === field.length && name.toLowerCase() === field) return rawHeaders[index + 1]!
  }
  return ''
}

/**
 * The program that a `User-Agent` names, such as `curl/8.5.0`; `''` where it names none. What follows the first product is left out, and so is
 * whatever does not look like one: callers put addresses there, and by mistake worse.
 */
export function clientOf(userAgent: string): string {
  const [, name = '', version] = product.exec(userAgent.slice(0, longestRead)) ?? []
  if (version !== undefined) return name.length <= longestName ? `${name}/${version}` : ''
  return name.length <= longestBareName ? name : ''
}
