import assert from 'node:assert/strict'
import { errorCodes, operationList } from '@saleproof/schema'
import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { startService, type TestService, temporaryFolder } from '../support/harness.ts'
import { codes, records } from '../support/records.ts'
import { createConnections } from './connection.ts'
import { checkAnswer } from './contract.ts'
import { byteChange, type Change, changed, checkInputs, fromBytes, timeoutMs, toBytes } from './fuzz.ts'
import { answersIn, type RawAnswer } from './raw-answers.ts'
import { headerArbitrary, keys, repeatedHeaderArbitrary, requestArbitrary } from './requests.ts'

const headerNames = [
  'Authorization: Bearer ',
  'X-Api-Key: ',
  'Accept-Language: ',
  'Accept-Encoding: ',
  'If-None-Match: ',
  'Content-Type: ',
  'Content-Length: ',
  'Content-Encoding: ',
  'Transfer-Encoding: ',
  'Expect: ',
  'Host: ',
  'Connection: ',
  'X-Request-Id: ',
  'X-Forwarded-For: ',
  'X-Forwarded-Host: ',
  'X-Forwarded-Proto: ',
  'Upgrade: ',
]

const tokens = [
  ...operationList.map(({ path }) => path),
  'GET ',
  'POST ',
  'HEAD ',
  ' HTTP/1.1\r\n',
  ' HTTP/1.0\r\n',
  '\r\n',
  '\r\n\r\n',
  '\r\n0\r\n\r\n',
  '--b',
  '--b--',
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=',
  'gzip',
  'br',
  'chunked',
  '?',
  '&',
  '=',
  '%00',
  '%EF%BB%BF',
  '%e2%80%8b',
  '%',
  '[]',
  '\\u0000',
  '\\ud800',
  '\u00e2\u0080\u0093',
  '; charset=utf-16',
  'pt-BR',
  'extended',
  'base',
  '100-continue',
  'api_key',
  'purchase_code',
  'item_id',
  'shape',
  '__proto__',
  '{"',
  '":"',
  '"}',
  'null',
  'true',
  '[',
  ']',
  '{}',
  '1e309',
  ...headerNames,
  ...errorCodes,
  ...keys,
  ...Object.values(codes),
]

const headEnd = '\r\n\r\n'

/** Corrects the length of the body and adds a missing host. */
function repair(input: string): string {
  const end = input.indexOf(headEnd)
  if (end < 0) return input
  const body = input.slice(end + headEnd.length)
  let head = input.slice(0, end)
  if (!/^host:/im.test(head)) head += '\r\nHost: localhost'
  if (/^content-length:/im.test(head))
    head = head.replace(/^content-length:.*$/gim, `Content-Length: ${body.length}`)
  else if (body.length > 0 && !/^transfer-encoding:/im.test(head))
    head += `\r\nContent-Length: ${body.length}`
  return head + headEnd + body
}

const token = fc.constantFrom(...tokens)
const anyLine = fc.oneof(
  headerArbitrary,
  fc.tuple(fc.constantFrom(...headerNames), token).map((parts) => parts.join('')),
)

/** Changes one line of a head into any number of them. */
const lineChange: fc.Arbitrary<(line: string) => string[]> = fc.oneof(
  fc.constant(() => []),
  fc.constant((line: string) => [line, line]),
  anyLine.map((added) => (line: string) => [line, added]),
  anyLine.map((added) => () => [added]),
  token.map((value) => (line: string) => [line.replace(/: .*/, `: ${value}`)]),
)

const firstLineChange: fc.Arbitrary<(line: string) => string[]> = fc.oneof(
  token.map((added) => (line: string) => [
    line.replace(/ (\S*) /, (_, target: string) => ` ${target}${added} `),
  ]),
  fc
    .constantFrom('GET', 'POST', 'HEAD', 'PUT')
    .map((method) => (line: string) => [line.replace(/^\S+/, method)]),
)

const headChange: fc.Arbitrary<Change> = fc
  .oneof(fc.tuple(fc.nat(), lineChange), fc.tuple(fc.constant(0), firstLineChange))
  .map(([at, change]) => (input) => {
    const end = input.indexOf(headEnd)
    if (end < 0) return input
    const lines = input.slice(0, end).split('\r\n')
    const index = at % lines.length
    return lines.toSpliced(index, 1, ...change(lines[index]!)).join('\r\n') + input.slice(end)
  })

const maxLength = 40 * 1024
const request = fc.oneof({ weight: 3, arbitrary: requestArbitrary }, repeatedHeaderArbitrary).map(fromBytes)
const changedRequest = changed(request, fc.oneof(headChange, byteChange(tokens)), maxLength)
const inputs = fc.oneof(request, changedRequest, { weight: 4, arbitrary: changedRequest.map(repair) })

/** Found by earlier runs. */
const examples = ['POST /console/api/session HTTP/1.1\r\nHost:\r\nTransfer-Encoding:chunked\r\n\r\n{"']

/** What has to be the same whichever path answers. */
function comparable({ status, headers, body }: RawAnswer) {
  const { date, 'x-request-id': id, 'keep-alive': keepAlive, ...rest } = headers
  return { status, headers: rest, body: body.toString('latin1') }
}

/** The log repeats nothing that was sent but a request id, which callers choose. */
function checkLogs(logs: string[]) {
  for (const line of logs.splice(0)) {
    const { requestId, level, ...rest } = JSON.parse(line)
    assert(level < 40, `a line of level ${level}: ${line}`)
    const text = JSON.stringify(rest)
    for (const word of [...keys, ...Object.values(codes)]) assert(!text.includes(word), `a secret in ${text}`)
  }
}

let fast: TestService
let slow: TestService
let connections: ReturnType<typeof createConnections>
let removeFolder: () => Promise<void>

beforeAll(async () => {
  const { folder, remove } = await temporaryFolder()
  removeFolder = remove
  const env = {
    PUBLIC_URL: 'https://shop.example',
    METRICS_TOKEN: 'x'.repeat(40),
    ADMIN_TOKEN: 'y'.repeat(40),
  }
  fast = await startService({ folder, records, env: { ...env, SALEPROOF_FAST_PATH: 'on' } })
  slow = await startService({ folder, env: { ...env, SALEPROOF_FAST_PATH: 'off' } })
  connections = createConnections()
})

afterAll(async () => {
  connections.close()
  await Promise.all([fast.close(), slow.close()])
  await removeFolder()
})

async function check(input: string) {
  const bytes = toBytes(input)
  const answers = answersIn(await connections.ask(fast.url, bytes))
  for (const answer of answers) checkAnswer(answer)
  const others = answersIn(await connections.ask(slow.url, bytes))
  assert.deepEqual(answers.map(comparable), others.map(comparable), 'the fast path answers otherwise')
  checkLogs(fast.logs)
  checkLogs(slow.logs)
}

test(
  'the contract allows every response, both paths give the same, and the log holds no secret',
  {
    retry: 0,
    timeout: timeoutMs,
  },
  () => checkInputs(inputs, check, { numRuns: 200, examples }),
)
