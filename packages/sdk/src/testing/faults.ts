/**
 * Network faults by name: no response until the client gives up, no connection, a name that does not resolve, a bad
 * certificate, a connection that is reset in the middle of the body, JSON that ends too early, a page of HTML, an empty object,
 * a redirect, an endless body. Or any response.
 */
export type Fault =
  | 'hang'
  | 'refused'
  | 'dns'
  | 'tls'
  | 'reset'
  | 'cut'
  | 'html'
  | 'empty'
  | 'redirect'
  | 'endless'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }

const systemCodes = { refused: 'ECONNREFUSED', dns: 'ENOTFOUND', tls: 'CERT_HAS_EXPIRED' } as const

const isIn = <T extends object>(name: PropertyKey, table: T): name is keyof T => name in table

const fetchError = (code: string) =>
  Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(code), { code }) })

const hang = (signal: AbortSignal | null | undefined) =>
  new Promise<Response>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason))
  })

const chunk = new TextEncoder().encode('{"status":"success","data":'.padEnd(65_536))

const bodies = {
  reset: () =>
    new ReadableStream({
      start: (controller) => controller.enqueue(chunk),
      pull: (controller) => controller.error(fetchError('ECONNRESET')),
    }),
  endless: () => new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }),
  cut: () => '{"status":"success","data":{"purchase":{"purchase_code":"',
  html: () => '<!doctype html><title>Welcome</title>',
  empty: () => '{}',
} as const

const names = ['hang', 'redirect', ...Object.keys(systemCodes), ...Object.keys(bodies)]

/** Throws for a fault that does not exist: a test would see another fault than it names. */
export function checkFault(fault: Fault): void {
  if (typeof fault !== 'object' && !names.includes(fault))
    throw new TypeError(`no such fault; use { status }, ${names.join(', ')}`)
}

/** The response of a fault. */
export async function simulateFault(fault: Fault, signal: AbortSignal | null | undefined): Promise<Response> {
  if (typeof fault === 'object') {
    const { status, headers = {}, body = null } = fault
    return new Response(typeof body === 'string' || body === null ? body : JSON.stringify(body), {
      status,
      headers,
    })
  }
  if (fault === 'hang') return hang(signal)
  if (fault === 'redirect')
    return new Response(null, { status: 302, headers: { location: 'https://elsewhere.test/' } })
  if (isIn(fault, systemCodes)) throw fetchError(systemCodes[fault])
  return new Response(bodies[fault]())
}
