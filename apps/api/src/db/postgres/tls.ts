import { readFileSync } from 'node:fs'
import tls, { type ConnectionOptions, createSecureContext, type TLSSocket } from 'node:tls'
import { errorCode } from '../../error-code.ts'
import type { TlsParameters } from './tls-parameters.ts'

/** Why there is no connection with TLS as it was asked for. */
export type TlsCode =
  | 'TLS_REFUSED'
  | 'TLS_UNTRUSTED'
  | 'TLS_WRONG_HOST'
  | 'TLS_EXPIRED'
  | 'TLS_AUTHORITIES'
  | 'TLS_KEY'
  | 'TLS_UNBOUND'
  | 'TLS_FAILED'

/** Holds nothing of the certificates, names and files that it is about. */
export class TlsError extends Error {
  readonly code: TlsCode

  constructor(code: TlsCode) {
    super('there is no connection with TLS as the address of the database asks for')
    this.name = 'PostgresError'
    this.code = code
  }
}

const certificate = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/

function authoritiesIn(place: string): string | string[] {
  // Node.js 22.14 does not tell them.
  const found = place === 'system' ? (tls.getCACertificates?.('system') ?? []) : readFileSync(place, 'utf8')
  // Without a certificate Node.js would trust the ones that it brings.
  if (!certificate.test(found.toString())) throw new Error('no certificate')
  return found
}

const contentOf = (file: string | undefined) => file && readFileSync(file)

function orFail<T>(code: TlsCode, read: () => T): T {
  try {
    return read()
  } catch {
    throw new TlsError(code)
  }
}

function contextOf({ authorities, certificate: cert, key, passphrase }: TlsParameters) {
  const ca = orFail('TLS_AUTHORITIES', () => authorities && authoritiesIn(authorities))
  return orFail('TLS_KEY', () =>
    createSecureContext({ ca, cert: contentOf(cert), key: contentOf(key), passphrase }),
  )
}

/** How Node.js makes a connection, with what the files hold now: certificates are renewed while the service runs. */
export function tlsOptions(parameters: TlsParameters): ConnectionOptions {
  const { mode, authorities } = parameters
  return {
    secureContext: contextOf(parameters),
    // As libpq does: who names an authority wants it asked.
    rejectUnauthorized: mode === 'verify-full' || authorities !== undefined,
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  }
}

/** What the driver says, without a code, where a server answers that it has no TLS. */
const refused = 'The server does not support SSL connections'

const codes: readonly (readonly [code: RegExp, TlsCode])[] = [
  [/^ERR_TLS_CERT_ALTNAME/, 'TLS_WRONG_HOST'],
  [/^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/, 'TLS_EXPIRED'],
]

/** What an error while connecting means, where it is about TLS; otherwise the error. */
export function explained(error: unknown, stream: unknown): unknown {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  // Of a certificate that nobody wanted checked this is told as well, by another error.
  if (code && (stream as { authorizationError?: unknown }).authorizationError === code)
    return new TlsError(codes.find(([pattern]) => pattern.test(code))?.[1] ?? 'TLS_UNTRUSTED')
  if (message === refused) return new TlsError('TLS_REFUSED')
  return /^(ERR_SSL_|ERR_OSSL_|ERR_TLS_|EPROTO$)/.test(code) ? new TlsError('TLS_FAILED') : error
}

/** Whether a server that gave an error may take the connection with TLS, or without: `pg_hba.conf` may ask for either. */
export const dependsOnTls = (error: unknown) => /^(?:TLS_|28000$)/.test(errorCode(error))

/** How a connection is kept from others, for a person. */
export function protectionOf(stream: unknown, parameters: TlsParameters | undefined): string {
  const version = (stream as Partial<TLSSocket>).getProtocol?.()
  if (!parameters || !version) return 'without encryption'
  const checked = parameters.mode === 'verify-full' ? 'certificate and host name' : 'certificate'
  const isChecked = parameters.mode === 'verify-full' || parameters.authorities !== undefined
  return `with ${version}, ${checked} ${isChecked ? '' : 'not '}checked`
}
