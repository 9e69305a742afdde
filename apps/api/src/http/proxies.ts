import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import proxyAddr from 'proxy-addr'
import type { TrustProxy } from '../config.ts'

// Node.js takes the socket away from a request whose client has gone.
type Request = Pick<IncomingMessage, 'headers'> & { socket: Pick<Socket, 'remoteAddress'> | null }

/** Who asked, and under which address, as far as the proxies in front are trusted. */
export interface Proxies {
  /** The right-most forwarded address that is not a trusted proxy's. */
  clientAddress(request: Request): string
  /** `https://host` as the nearest trusted proxy was asked, or undefined where none is trusted or it does not say. */
  forwardedOrigin(request: Request): string | undefined
  /** The protocol that the nearest trusted proxy was asked by, or undefined where none is trusted or it does not say. */
  forwardedProtocol(request: Request): string | undefined
}

type Trust = (address: string, hop: number) => boolean

function trustOf(trustProxy: TrustProxy): Trust {
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy
  return trustProxy.length ? proxyAddr.compile([...trustProxy]) : () => false
}

/** The last of a header's values: what the nearest proxy added. Those before it were written by whoever asked. */
const last = (header: string | string[] | undefined) =>
  String(header ?? '')
    .split(',')
    .at(-1)
    ?.trim() ?? ''

export function createProxies(trustProxy: TrustProxy): Proxies {
  const trust = trustOf(trustProxy)
  const trustsNobody = trustProxy === 0 || (typeof trustProxy !== 'number' && trustProxy.length === 0)
  const isTrusted = ({ socket }: Request) => trust(socket?.remoteAddress ?? '', 0)
  return {
    clientAddress: trustsNobody
      ? ({ socket }) => socket?.remoteAddress ?? ''
      : (request) => (request.socket && proxyAddr(request as IncomingMessage, trust)) ?? '',
    forwardedProtocol: (request) =>
      isTrusted(request) ? last(request.headers['x-forwarded-proto']) || undefined : undefined,
    forwardedOrigin(request) {
      if (!isTrusted(request)) return undefined
      const { headers } = request
      const [host, protocol] = [last(headers['x-forwarded-host']), last(headers['x-forwarded-proto'])]
      if (!/^[A-Za-z0-9.:[\]_-]{1,255}$/.test(host)) return undefined
      return `${protocol === 'https' ? 'https' : 'http'}://${host}`
    },
  }
}
