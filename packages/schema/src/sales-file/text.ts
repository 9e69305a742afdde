const utf8 = new TextDecoder('utf-8', { fatal: true })
const damagedUtf8 = new TextDecoder('utf-8')
const windows1252 = new TextDecoder('windows-1252')

/**
 * Decodes whole lines. One that is no UTF-8 is Windows-1252, which spreadsheets in Europe and Latin America save; after lines with characters
 * of UTF-8 it is a damaged one.
 */
function createLinesDecoder() {
  let damaged = windows1252
  function decodeUtf8(bytes: Uint8Array): string {
    const text = utf8.decode(bytes)
    if (damaged !== damagedUtf8 && /[\u0080-\uffff]/.test(text)) damaged = damagedUtf8
    return text
  }
  function decodeLine(bytes: Uint8Array): string {
    try {
      return decodeUtf8(bytes)
    } catch {
      return damaged.decode(bytes)
    }
  }
  return (bytes: Uint8Array): string => {
    try {
      return decodeUtf8(bytes)
    } catch {
      let text = ''
      for (let from = 0, end = 0; from < bytes.length; from = end) {
        end = bytes.indexOf(0x0a, from) + 1 || bytes.length
        text += decodeLine(bytes.subarray(from, end))
      }
      return text
    }
  }
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** The bytes of a line that has not ended are held. No others are copied: the memory of copied chunks is given back late. */
function createLineDecoder() {
  const decodeLines = createLinesDecoder()
  let held: Uint8Array[] = []
  return (chunk: Uint8Array, isEnd: boolean): string => {
    const first = chunk.indexOf(0x0a) + 1
    // A copy: the source may use its buffer again.
    held.push(new Uint8Array(first > 0 ? chunk.subarray(0, first) : chunk))
    if (first === 0 && !isEnd) return ''
    const last = chunk.lastIndexOf(0x0a) + 1
    const text = decodeLines(join(held)) + decodeLines(chunk.subarray(first, last))
    held = [new Uint8Array(chunk.subarray(last))]
    return text
  }
}

function createUtf16Decoder(encoding: string) {
  const decoder = new TextDecoder(encoding)
  return (chunk: Uint8Array, isEnd: boolean) => decoder.decode(chunk, { stream: !isEnd })
}

function findDecoder([first, second]: Uint8Array) {
  if (first === 0xff && second === 0xfe) return createUtf16Decoder('utf-16le')
  return first === 0xfe && second === 0xff ? createUtf16Decoder('utf-16be') : createLineDecoder()
}

/**
 * Decodes the text of a file, a chunk at a time: UTF-8, Windows-1252, or UTF-16 with a byte order mark, as spreadsheets save it. Lines end
 * in a line feed afterwards, also those of old spreadsheets that end in a carriage return.
 *
 * @example
 * const decode = createDecoder()
 * decode(new Uint8Array(await file.arrayBuffer())) + decode()
 */
export function createDecoder(): (chunk?: Uint8Array) => string {
  let decode: ReturnType<typeof findDecoder> | undefined
  let carriageReturns: boolean | undefined
  return (chunk) => {
    const bytes = chunk ?? new Uint8Array()
    decode ??= findDecoder(bytes)
    const text = decode(bytes, chunk === undefined)
    if (text !== '') carriageReturns ??= /\r[^\n]/.test(text) && !text.includes('\n')
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
