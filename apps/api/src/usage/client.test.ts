import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readClient, userAgentIn } from './client.ts'

describe('the client that a User-Agent names', () => {
  test.each([
    ['curl/8.5.0', 'curl/8.5.0'],
    ['WordPress/6.8; https://shop.example', 'WordPress/6.8'],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36', 'Mozilla/5.0'],
    ['python-requests/2.32.3', 'python-requests/2.32.3'],
    ['Go-http-client/1.1', 'Go-http-client/1.1'],
    ['GuzzleHttp/7', 'GuzzleHttp/7'],
    ['PHP/8.4.1-dev', 'PHP/8.4.1'],
    ['k6/0.57.0 (https://k6.io/)', 'k6/0.57.0'],
    ['node', 'node'],
    ['plugin/dev build', 'plugin'],
  ])('%s is %s', (userAgent, client) => expect(readClient(userAgent)).toBe(client))

  test.each([
    '',
    ' ',
    '192.0.2.7',
    '2001:db8::7',
    'shop.example',
    'shop.example/1.0',
    'https://shop.example/',
    'ada@example.com',
    'ada@example.com/1.0',
    'sp_live_0123456789abcdefghijklmn',
    'sp_live_0123456789abcdefghijklmn/1.0',
    'ADA1-AAAA-BBBB-CCCC-0001',
    'ABCDEFGH-IJKLMNOP',
    'anExceedinglyLongNameOfAProgram/1.0',
    '\u0000',
  ])('%j names none', (userAgent) => expect(readClient(userAgent)).toBe(''))

  test('ends where an address could begin', () => {
    expect(readClient('monitor/192.0.2.7')).toBe('monitor/192.0.2')
  })

  test('is a short, plain prefix of any text', () => {
    const property = fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
      const client = readClient(text)
      expect(client).toMatch(/^(?:[A-Za-z][A-Za-z_\d-]{0,23}(?:\/[\d.]{1,14})?)?$/)
      expect(text.startsWith(client)).toBe(true)
    })
    fc.assert(property, { numRuns: 200 })
  })
})

test('the User-Agent is found in any case, and is empty where it is missing', () => {
  expect(userAgentIn(['Host', 'a', 'USER-agent', 'curl/8', 'User-Agent', 'other'])).toBe('curl/8')
  expect(userAgentIn(['Connection', 'user-agent', 'Host', 'a'])).toBe('')
})
