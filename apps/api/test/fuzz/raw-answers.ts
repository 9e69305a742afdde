import assert from 'node:assert/strict'
import zlib from 'node:zlib'

/** An answer as it came over the wire. */
export interface RawAnswer {
  status: number
  /** By name in lower case. */
  headers: Record<string, string>
  body: Buffer
}

const beginsAnswer = (bytes: Buffer) => bytes.length === 0 || bytes.subarray(0, 9).toString() === 'HTTP/1.1 '

function headersOf(lines: readonly string[]) {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const match = /^([!#$%&'*+.^_`|~\w-]+): (.*)$/.exec(line)
    assert(match, `not a header: ${line}`)
    const name = match[1]!.toLowerCase()
    assert(!(name in headers), `${name} twice`)
    headers[name] = match[2]!
  }
  return headers
}

/** The answers on a connection, each whole. One to HEAD has a length and no body. */
export function answersIn(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = bytes
  while (rest.length) {
    const end = rest.indexOf('\r\n\r\n')
    assert(end > 0, 'an answer without an end')
    const [first = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) [\w' -]+$/.exec(first)?.[1])
    assert(status >= 100, `not a status line: ${first}`)
    const headers = headersOf(lines)
    rest = rest.subarray(end + 4)
    const length = Number(headers['content-length'] ?? 0)
    const empty = status < 200 || status === 304 || (length > 0 && beginsAnswer(rest))
    const body = rest.subarray(0, empty ? 0 : length)
    assert.equal(body.length, empty ? 0 : length, 'an answer that breaks off')
    rest = rest.subarray(body.length)
    assert(beginsAnswer(rest), 'bytes after an answer')
    if (status >= 200) answers.push({ status, headers, body })
  }
  return answers
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: zlib.gunzipSync,
  br: zlib.brotliDecompressSync,
  zstd: zlib.zstdDecompressSync,
}

/** The body of an answer as text. */
export function textOf({ headers, body }: RawAnswer): string {
  const decode = decoders[headers['content-encoding'] ?? '']
  return (decode && body.length > 0 ? decode(body) : body).toString()
}
