import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Some proxies add the port of the client, which changes each time: `1.2.3.4:5678`, `[2001:db8::1]:5678`. */
const withoutPort = (text: string) =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text

/**
 * The client that a limit counts an address for. An IPv4 address is one client, and so are all IPv6 addresses of a /64, the smallest
 * network that anybody gets: a limit for each of its addresses would be none. Whatever a proxy wrote that is not an address is one client
 * as well.
 */
export function clientKey(text: string): string {
  if (text.length <= 15 && isIP(text) === 4) return text
  const [address = ''] = withoutPort(text.trim()).split('%', 1)
  // Stricter than the library, which also reads `1` and `0x7f.1`.
  if (isIP(address) === 0) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const network = parsed.parts.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}
