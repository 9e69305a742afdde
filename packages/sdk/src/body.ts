/** More than any response of the API; a longer body is not read to its end. */
export const largestBody = 1_048_576

/** The text of a body; `undefined` when it is too large. Throws when it is cut short or is not UTF-8. */
export async function readBody(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let size = 0
  let text = ''
  // Leaving the loop cancels the body.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > largestBody) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** A body as an object: nothing is known of its fields. */
export type Body = Readonly<Record<string, unknown>>

/** Parsed JSON, or `undefined`. */
export function parse(text: string): Body | null | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
