/** What callers may ask. */
export interface Questions {
  keys: readonly string[]
  items: readonly number[]
  codes: readonly string[]
}

export interface Answer {
  /** Status, reason and language. */
  head: string
  body: string
}

/** What was answered, by the question. */
export type Answers = Readonly<Record<string, Answer>>

interface Question {
  name: string
  path: string
  body?: string
}

const validation = (code: string, index: number, shape: string): Question => ({
  name: `validation of code ${index}, ${shape}`,
  path: `/api/purchases/validation?shape=${shape}`,
  body: new URLSearchParams({ purchase_code: code }).toString(),
})

const questionsOf = ({ items, codes }: Questions): Question[] =>
  ['base', 'extended'].flatMap((shape) => [
    { name: `account, ${shape}`, path: `/api/account/details?shape=${shape}` },
    { name: `all items, ${shape}`, path: `/api/items/all?shape=${shape}` },
    ...items.map((id) => ({
      name: `item ${id}, ${shape}`,
      path: `/api/items/item?item_id=${id}&shape=${shape}`,
    })),
    ...codes.map((code, index) => validation(code, index, shape)),
  ])

/** Asks everything with every key, in both languages. Neither keys nor codes are in the names of the answers. */
export async function answersOf(url: string, questions: Questions): Promise<Answers> {
  const answers: Record<string, Answer> = {}
  for (const [index, key] of questions.keys.entries()) {
    for (const language of ['en', 'pt']) {
      for (const { name, path, body } of questionsOf(questions)) {
        const response = await fetch(url + path, {
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            authorization: `Bearer ${key}`,
            'accept-language': language,
            ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
          },
          ...(body !== undefined && { body }),
        })
        const { status, headers } = response
        const head = [status, headers.get('x-error-code'), headers.get('content-language')]
        answers[`${name}, key ${index}, ${language}`] = {
          head: head.filter(Boolean).join(' '),
          body: await response.text(),
        }
      }
    }
  }
  return answers
}
