/** The fenced blocks of a document. */
export const fences = (text: string) =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', body = '']) => ({
    language,
    body,
  }))

const withoutFences = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, '')

/** The inline code of a document. */
export const codeSpans = (text: string) =>
  [...withoutFences(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)

/** The targets of the links of a document. */
export const links = (text: string) =>
  [...withoutFences(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)

/** The cells of the table rows of a document, without heads and rules. */
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

/** The lines of shell blocks, and inline code. */
export const typedLines = (text: string) => [
  ...fences(text)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ body }) => body.replaceAll('\\\n', ' ').split('\n')),
  ...codeSpans(text),
]
