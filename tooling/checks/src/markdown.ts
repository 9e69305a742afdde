/** The fenced blocks of a document, with the language that they name. */
export const fences = (text: string) =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', body = '']) => ({
    language,
    body,
  }))

const withoutFences = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, '')

/** The pieces of inline code of a document. */
export const codeSpans = (text: string) =>
  [...withoutFences(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)

/** Where the links of a document lead. */
export const links = (text: string) =>
  [...withoutFences(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)

/** The rows of the tables of a document, a list of cells each, without heads and rules. */
export const tableRows = (text: string) =>
  withoutFences(text)
    .split('\n')
    .filter(
      (line, index, lines) =>
        /^\|/.test(line) && !/^\|[-:| ]+$/.test(line) && !/^\|[-:| ]+$/.test(lines[index + 1] ?? ''),
    )
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

/** Every line that a reader could type: those of shell blocks, and inline code. */
export const typedLines = (text: string) => [
  ...fences(text)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ body }) => body.replaceAll('\\\n', ' ').split('\n')),
  ...codeSpans(text),
]
