/** White space, a byte order mark and comments: what those such as `!40101` hold is for a server. */
const blank = /(?:\s+|\xef\xbb\xbf|--(?=\s)[^\n]*\n|#[^\n]*\n|\/\*[\s\S]*?\*\/)*/y
const openComment = /--\s|#|\/\*/y
const wordOrMark = /[^\s(),;'"`/#]+|[\s\S]/y

function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

const quotes = '\'"`'

/** Where a text ends that begins with a quote; -1 where that is not read yet. */
function endOfQuoted(text: string, from: number): number {
  const quote = text.charCodeAt(from)
  const backslash = text[from] === '`' ? -1 : 0x5c
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === backslash || (code === quote && text.charCodeAt(at + 1) === quote)) at++
    else if (code === quote) return at + 1
  }
  return -1
}

/** Where the blank ends that may come before a token. */
export const endOfBlank = (text: string, at: number) => endOfMatch(blank, text, at)

/** Where a token ends; -1 where that is not read yet. */
export function endOfToken(text: string, at: number): number {
  const first = text[at] ?? ''
  if ('(),;'.includes(first)) return at + 1
  if (quotes.includes(first)) return endOfQuoted(text, at)
  return endOfMatch(openComment, text, at) > at ? -1 : endOfMatch(wordOrMark, text, at)
}

const escapes: ReadonlyMap<string, string> = new Map(
  Object.entries({ 0: '\0', b: '\b', n: '\n', r: '\r', t: '\t', Z: '\x1a', '%': '\\%', _: '\\_' }),
)

/** What quotes hold. */
export function unquote(token: string): string {
  const quote = token.charAt(0)
  if (!quotes.includes(quote)) return token
  const inner = token.slice(1, -1)
  if (quote === '`' || !inner.includes('\\')) return inner.replaceAll(quote + quote, quote)
  return inner.replace(quote === '"' ? /\\([\s\S])|""/g : /\\([\s\S])|''/g, (_, escaped = quote) => {
    return escapes.get(escaped) ?? escaped
  })
}
