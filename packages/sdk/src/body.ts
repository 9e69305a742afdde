/** The text of a body; `undefined` when it is too large: then it is not read to its end. Throws when it is cut short or is not UTF-8. */
export type ReadBody = (response: Response, maxBytes: number) => Promise<string | undefined>

/** Reads a body as a stream. */
export const readBody: ReadBody = async (response, maxBytes) => {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let size = 0
  let text = ''
  // Leaving the loop cancels the body.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
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
    return isCheck && hasDuplicates(json, body) ? {} : body
  } catch {
    return undefined
  }
}
