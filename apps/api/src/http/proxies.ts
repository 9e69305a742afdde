import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import proxyAddr from 'proxy-addr'
import type { TrustProxy } from '../config.ts'
import { clientKey } from './client-key.ts'

// Node.js removes the socket of a request whose client has disconnected.
type Request = Pick<IncomingMessage, 'headers'> & { socket: Pick<Socket, 'remoteAddress'> | null }

type Trust = (address: string, hop: number) => boolean

function createTrust(trustProxy: TrustProxy): Trust {
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy
  return trustProxy.length ? proxyAddr.compile([...trustProxy]) : () => false
}

/** The last value of a header, which the nearest proxy added: the client may have written the others. */
const last = (header: string | string[] | undefined) =>
  String(header ?? '')
    .split(',')
    .at(-1)
    ?.trim() ?? ''

/** Where requests come from, and what they were sent to, as far as the proxies in front are trusted. */
export function createProxies(trustProxy: TrustProxy) {
  const trust = createTrust(trustProxy)
  const trustsNone = trustProxy === 0 || (typeof trustProxy !== 'number' && trustProxy.length === 0)
  const isProxy = (address: string) => trust(address, 0)
  // The library reads only the headers and the socket.
  const readAddress = (request: Request) =>
    trustsNone
      ? request.socket?.remoteAddress
      : request.socket && proxyAddr(request as IncomingMessage, trust)
  const isTrusted = ({ socket }: Request) => isProxy(socket?.remoteAddress ?? '')
  return {
    /** Whether the address at the other end of a connection is one of a trusted proxy. */
    isProxy,
    /** Whom a limit counts a request for: the right-most forwarded address that is not a trusted proxy's, as a `clientKey`. */
    clientAddress: (request: Request) => clientKey(readAddress(request) ?? ''),
    /** The protocol that the nearest trusted proxy reports. */
    forwardedProtocol: (request: Request) =>
      isTrusted(request) ? last(request.headers['x-forwarded-proto']) || undefined : undefined,
    /** `https://host` as the nearest trusted proxy reports it. */
    forwardedOrigin(request: Request) {
      if (!isTrusted(request)) return undefined
      const host = last(request.headers['x-forwarded-host'])
      if (!/^[A-Za-z0-9.:[\]_-]{1,255}$/.test(host)) return undefined
      const protocol = last(request.headers['x-forwarded-proto'])
      return `${protocol === 'https' ? 'https' : 'http'}://${host}`
    },
  }
}

export type Proxies = ReturnType<typeof createProxies>
