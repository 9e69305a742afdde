import { readFileSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import tls, { type ConnectionOptions, createSecureContext, TLSSocket } from 'node:tls'
import { errorCode } from '../../error-code.ts'
import { DatabaseError, type DatabaseErrorKind } from '../errors.ts'
import type { TlsParameters } from './tls-parameters.ts'

/** Why TLS failed. Holds nothing of certificates, names and files. */
const tlsError = (kind: DatabaseErrorKind & `tls_${string}`) => new DatabaseError(kind, kind.toUpperCase())

const certificate = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/

function readAuthorities(source: string): string | string[] {
  // Node.js 22.14 has no `getCACertificates`.
  const found = source === 'system' ? (tls.getCACertificates?.('system') ?? []) : readFileSync(source, 'utf8')
  // Without a certificate Node.js would trust its own ones.
  if (!certificate.test(found.toString())) throw new Error('no certificate')
  return found
}

const readContent = (file: string | undefined) => file && readFileSync(file)

function createContext({ authorities, certificate: cert, key, passphrase }: TlsParameters) {
  try {
    const ca = authorities && readAuthorities(authorities)
    return createSecureContext({ ca, cert: readContent(cert), key: readContent(key), passphrase })
  } catch {
    throw tlsError('tls_files')
  }
}

/** Options of a connection, read from the files each time: certificates are renewed while the service runs. */
export function tlsOptions(parameters: TlsParameters): ConnectionOptions {
  const { mode, authorities } = parameters
  return {
    secureContext: createContext(parameters),
    // As libpq does: an authority that is named is checked.
    rejectUnauthorized: mode === 'verify-full' || authorities !== undefined,
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  }
}

/** The driver gives this error no code. */
const refused = 'The server does not support SSL connections'

function certificateError(code: string) {
  if (code.startsWith('ERR_TLS_CERT_ALTNAME')) return tlsError('tls_wrong_host')
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return tlsError('tls_expired')
  return tlsError('tls_untrusted')
}

/** An error while connecting, explained where it is about TLS. */
export function explainTlsError(error: Error, stream: Duplex): Error {
  const code = errorCode(error)
  // Only where certificates are checked: without, another error may have the same code.
  if (code && stream instanceof TLSSocket && String(stream.authorizationError) === code)
    return certificateError(code)
  if (error.message === refused) return tlsError('tls_refused')
  return code && /^(ERR_SSL_|ERR_OSSL_|ERR_TLS_|EPROTO$)/.test(code) ? tlsError('tls_failed') : error
}

/** How a connection is protected, for a person. */
export function describeProtection(stream: Duplex, parameters: TlsParameters | undefined): string {
  const version = stream instanceof TLSSocket && stream.getProtocol()
  if (!parameters || !version) return 'without encryption'
  const checked = parameters.mode === 'verify-full' ? 'certificate and host name' : 'certificate'
  const isChecked = parameters.mode === 'verify-full' || parameters.authorities !== undefined
  return `with ${version}, ${checked} ${isChecked ? '' : 'not '}checked`
}
