/** What the requests of a comparison are made of. */
export interface Subjects {
  keys: readonly string[]
  items: readonly number[]
  codes: readonly string[]
}

/** By the name of the request, which holds neither keys nor codes. */
export type Responses = Readonly<Record<string, { head: string; body: string }>>

interface Request {
  name: string
  path: string
  body?: URLSearchParams
}

const listRequests = ({ items, codes }: Subjects): Request[] =>
  ['base', 'extended'].flatMap((shape) => [
    { name: `account, ${shape}`, path: `/api/account/details?shape=${shape}` },
    { name: `all items, ${shape}`, path: `/api/items/all?shape=${shape}` },
    ...items.map((id) => ({
      name: `item ${id}, ${shape}`,
      path: `/api/items/item?item_id=${id}&shape=${shape}`,
    })),
    ...codes.map((code, index) => ({
      name: `validation of code ${index}, ${shape}`,
      path: `/api/purchases/validation?shape=${shape}`,
      body: new URLSearchParams({ purchase_code: code }),
    })),
  ])

/** Sends every request with every key in both languages; one of each kind where a key is refused, whatever is asked for. */
export async function fetchResponses(url: string, subjects: Subjects): Promise<Responses> {
  const responses: Record<string, { head: string; body: string }> = {}
  const few = { ...subjects, items: subjects.items.slice(0, 1), codes: subjects.codes.slice(0, 1) }
  for (const [index, key] of subjects.keys.entries())
    for (const language of ['en', 'pt']) {
      const headers = { authorization: `Bearer ${key}`, 'accept-language': language }
      const account = await fetch(`${url}/api/account/details`, { headers })
      await account.arrayBuffer()
      for (const { name, path, body } of listRequests(account.status === 401 ? few : subjects)) {
        const response = await fetch(url + path, body ? { method: 'POST', headers, body } : { headers })
        const { status, headers: given } = response
        const head = [status, given.get('x-error-code'), given.get('content-language')].filter(Boolean)
        responses[`${name}, key ${index}, ${language}`] = {
          head: head.join(' '),
          body: await response.text(),
        }
      }
    }
  return responses
}

/** Differing responses, without their bodies: those hold purchase codes. */
export const differences = (expected: Responses, actual: Responses, when: string) =>
  Object.entries(expected).flatMap(([name, { head, body }]) => {
    const response = actual[name]
    if (response?.head !== head) return [`${when}: ${name}: ${response?.head} instead of ${head}`]
    return response.body === body ? [] : [`${when}: ${name}: another body`]
  })
