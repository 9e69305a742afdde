/**
 * Decodes the text of a file, a chunk at a time: UTF-8, or UTF-16 with a byte order mark, as spreadsheets save it. What is no text of
 * these becomes U+FFFD. Lines end in a line feed afterwards, also those of old spreadsheets that end in a carriage return.
 *
 * @example
 * const decode = createDecoder()
 * decode(new Uint8Array(await file.arrayBuffer())) + decode()
 */
export function createDecoder(): (chunk?: Uint8Array) => string {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let carriageReturns = false
  return (chunk = new Uint8Array()) => {
    const isFirst = decoder === undefined
    if (!decoder) {
      const [first, second] = chunk
      const encoding =
        first === 0xff && second === 0xfe
          ? 'utf-16le'
          : first === 0xfe && second === 0xff
            ? 'utf-16be'
            : 'utf-8'
      decoder = new TextDecoder(encoding)
    }
    const text = decoder.decode(chunk, { stream: chunk.length > 0 })
    if (isFirst) carriageReturns = /\r[^\n]/.test(text) && !text.includes('\n')
    return carriageReturns ? text.replaceAll('\r', '\n') : text
  }
}

/**
 * What separates the cells of the first line with text: a comma, a semicolon, a tab or a bar, whichever comes most often.
 *
 * @example
 * detectDelimiter('Code;Price\nAAAA-1111;12,50') // ';'
 */
export function detectDelimiter(text: string): string {
  const [head = ''] = text.trimStart().split('\n', 1)
  const count = (separator: string) => head.split(separator).length
  return [',', ';', '\t', '|'].reduce((best, each) => (count(each) > count(best) ? each : best))
}
