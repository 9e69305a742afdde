import { gzipSync } from 'node:zlib'
import type { FaultTable, Response } from './table.ts'

/** Bytes that HTTP calls a response, or that only look like one. */
export interface Rendered extends Pick<Response, 'delayMs' | 'dripMs' | 'then'> {
  readonly bytes: Buffer
  readonly onSent?: () => void
}

/** A response with what it is `like`. */
export function resolve(table: FaultTable, response: string | Response): Response {
  if (typeof response !== 'string') {
    return response.like === undefined ? response : { ...resolve(table, response.like), ...response }
  }
  const named = table.responses[response]
  if (!named) throw new Error(`clients/faults.json has no response "${response}"`)
  return resolve(table, named)
}

const renderJson = (table: FaultTable, { json, items }: Response): unknown =>
  items === undefined
    ? json
    : {
        status: 'success',
        items: Array.from({ length: items }, (_, index) => ({ ...table.item, id: index + 1 })),
      }

function renderBody(table: FaultTable, response: Response, code: string): Buffer {
  const { base64, body, gzip, nest = 0, pad = 0 } = response
  const json = renderJson(table, response)
  const text = body ?? (json === undefined ? '' : JSON.stringify(json))
  const filled = text
    .replaceAll('"%PURCHASE%"', JSON.stringify(table.purchase))
    .replaceAll('%CODE%', JSON.stringify(code).slice(1, -1))
    .replace('%NEST%', '['.repeat(nest) + ']'.repeat(nest))
  const plain = base64 === undefined ? Buffer.from(' '.repeat(pad) + filled) : Buffer.from(base64, 'base64')
  return gzip ? gzipSync(plain) : plain
}

const names = (headers: readonly string[], pattern: RegExp) => headers.some((header) => pattern.test(header))

function renderHead({ status = '200 OK', headers = [], fill = 0 }: Response, length: number): string {
  const lines = [/^HTTP\//.test(status) ? status : `HTTP/1.1 ${status}`, ...headers]
  if (!names(headers, /^(content-length|transfer-encoding):/i)) lines.push(`content-length: ${length}`)
  if (!names(headers, /^connection:/i)) lines.push('connection: close')
  return lines
    .filter((line) => line !== 'content-length: none')
    .concat('', '')
    .join('\r\n')
    .replace('%FILL%', 'x'.repeat(fill))
}

const isSilent = ({ status, headers, body, json, items, base64, raw }: Response) =>
  [status, headers, body, json, items, base64, raw].every((part) => part === undefined)

const large = new WeakMap<Response, Rendered>()

/** The bytes of a response to a request about `code`. */
export function render(table: FaultTable, given: string | Response, code: string): Rendered {
  const own = typeof given === 'string' ? undefined : given.for?.[code]
  if (own !== undefined) return render(table, own, code)
  // Compressing tens of megabytes would hold up the other cases; these bodies are about one code.
  if (typeof given === 'string' || !given.pad) return renderNow(table, given, code)
  const rendered = large.get(given) ?? renderNow(table, given, code)
  large.set(given, rendered)
  return rendered
}

function renderNow(table: FaultTable, given: string | Response, code: string): Rendered {
  const response = resolve(table, given)
  const { cut = 0, delayMs, dripMs, raw, then } = response
  const rest = { ...(delayMs && { delayMs }), ...(dripMs && { dripMs }), ...(then && { then }) }
  if (isSilent(response)) return { bytes: Buffer.alloc(0), ...rest }
  if (raw !== undefined) return { bytes: Buffer.from(raw, 'latin1'), ...rest }
  const body = renderBody(table, response, code)
  const bytes = Buffer.concat([Buffer.from(renderHead(response, body.length), 'latin1'), body])
  return { bytes: bytes.subarray(0, bytes.length - cut), ...rest }
}
