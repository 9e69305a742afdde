import { isIP } from 'node:net'

/** The eight groups of an IPv6 address that is one. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  if (tail === undefined) return before
  const after = tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after]
}

/** Some proxies add the port that a caller came from, which is another one each time: `1.2.3.4:5678`, `[2001:db8::1]:5678`. */
const withoutPort = (text: string) =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text

/** An IPv4 address as sockets for both kinds write it. */
const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

function networkOf(text: string): string {
  const address = withoutPort(text.trim()).split('%', 1)[0]!
  const v4 = mapped.exec(address)?.[1] ?? address
  if (isIP(v4) !== 6) return isIP(v4) === 4 ? v4 : 'unknown'
  const groups = groupsOf(v4).slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/**
 * Whom a limit takes an address for: an IPv4 address is one caller, and so are all IPv6 addresses of one /64, the least that anybody is
 * given: a limit for each of them would be none. What a proxy wrote that is no address is one caller as well.
 */
export const clientKey = (address: string): string =>
  address.length <= 15 && isIP(address) === 4 ? address : networkOf(address)
