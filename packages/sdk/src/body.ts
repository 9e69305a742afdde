/**
 * The text of a body; `undefined` when it is too large: then it is not read to its end. Throws when it is cut short or is not UTF-8.
 *
 * Not by `for await`, which Safari lacks for streams. React Native has neither streams nor a decoder, and some replacements of `fetch`
 * give streams of another kind: there the whole text is read, of which characters are counted in place of bytes.
 */
export async function readBody(response: Response, maxBytes: number): Promise<string | undefined> {
  const reader = globalThis.TextDecoder && response.body?.getReader?.()
  if (!reader) {
    const text = await response.text()
    return text.length > maxBytes ? undefined : text
  }
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  for (let size = 0; size <= maxBytes; ) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.byteLength
    text += decoder.decode(value, { stream: true })
  }
  void reader.cancel()
  return undefined
}

/** A body as an object: nothing is known of its fields. */
export type Body = Readonly<Record<string, unknown>>

// Outside of strings, a colon follows each name and nothing else.
const countNames = (json: string) => json.replace(/"[^"\\]*(\\.[^"\\]*)*"/g, '').split(':').length

/** Whether an object in a JSON text has a name twice: two readers of such a text may see two things. */
export function hasDuplicates(json: string, parsed: unknown): boolean {
  const plain = JSON.stringify(parsed)
  // Most responses are plain: to compare is faster than to count.
  return plain !== json && countNames(plain) !== countNames(json)
}

/** The fields of parsed JSON; `undefined` of what is none. A check believes no text with duplicate names. */
export function parse(json: string, isCheck: boolean): Body | undefined {
  try {
    const body: Body = Object(JSON.parse(json))
    return isCheck && hasDuplicates(json, body) ? undefined : body
  } catch {
    return undefined
  }
}
