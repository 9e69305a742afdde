import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clientKey } from './client-key.ts'

describe('the client that an address is counted for', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['255.255.255.255', '255.255.255.255'],
    [' 192.0.2.7 ', '192.0.2.7'],
    ['192.0.2.7:50123', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['[::ffff:192.0.2.7]:50123', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:C000:0207', '192.0.2.7'],
    ['::ffff:192.0.2.7%eth0', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s is %s', (address, client) => {
    expect(clientKey(address)).toBe(client)
  })

  test.each(['', 'unknown', '_hidden', '1.2.3', '1.2.3.4.5', '::1::2', 'x'.repeat(16_000), '999.1.1.1'])(
    'counts what is not an address (%#) as one client',
    (text) => {
      expect(clientKey(text)).toBe('unknown')
    },
  )

  test('is the same for every address of a network, and differs between networks', () => {
    const half = fc.array(fc.nat(0xffff), { minLength: 4, maxLength: 4 })
    const written = (groups: readonly number[]) => groups.map((group) => group.toString(16)).join(':')
    fc.assert(
      fc.property(half, half, half, half, (network, other, host, another) => {
        const first = clientKey(written([...network, ...host]))
        expect(clientKey(written([...network, ...another]))).toBe(first)
        expect(clientKey(written([...other, ...host])) === first).toBe(written(other) === written(network))
      }),
    )
  })
})
