import type { ErrorCode } from '@saleproof/schema'

/** An error of Node's HTTP parser, or of its timer for slow requests. */
export interface ParserError extends Error {
  code?: string
  /** The bytes that were being read, and how many of them were parsed. */
  rawPacket?: Buffer
  bytesParsed?: number
}

const codes: Readonly<Record<string, ErrorCode>> = {
  CONNECT: 'method_not_allowed',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'request_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
}

export const codeOfParserError = ({ code }: ParserError): ErrorCode =>
  codes[code ?? ''] ?? 'malformed_request'

/** Whether an error that was thrown while a body was read comes from the parser. */
export const isParserError = (thrown: unknown): thrown is ParserError =>
  thrown instanceof Error &&
  'code' in thrown &&
  /^(?:HPE_|ERR_HTTP_REQUEST_TIMEOUT$)/.test(String(thrown.code))
