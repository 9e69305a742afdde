import type { ErrorCode } from '@saleproof/schema'

/** What Node's HTTP parser, or the watch over slow connections, has to say about a request. */
export interface ParserError extends Error {
  code?: string
  /** The bytes that were being read, and how far into them the parser came. */
  rawPacket?: Buffer
  bytesParsed?: number
}

const codes: Readonly<Record<string, ErrorCode>> = {
  CONNECT: 'method_not_allowed',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'request_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
}

/** The failure that an error of the parser is. */
export const codeOfParserError = ({ code }: ParserError): ErrorCode =>
  codes[code ?? ''] ?? 'malformed_request'

/** Whether something that was thrown while a body was read comes from the parser. */
export const isParserError = (thrown: unknown): thrown is ParserError => {
  const code = String((thrown as ParserError | null)?.code ?? '')
  return code.startsWith('HPE_') || code === 'ERR_HTTP_REQUEST_TIMEOUT'
}
