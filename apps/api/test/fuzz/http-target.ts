import assert from 'node:assert/strict'
import type { Random, Target } from '@saleproof/fuzz'
import { errorCodes, operationList } from '@saleproof/schema'
import fc from 'fast-check'
import { startService, temporaryFolder } from '../support/harness.ts'
import { codes, records } from '../support/records.ts'
import { createConnections } from './connection.ts'
import { checkAnswer } from './contract.ts'
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

const headerLines = fc.sample(headerArbitrary, { seed: 1, numRuns: 100 })

const headEnd = '\r\n\r\n'

/** Corrects the length of the body and adds a missing host. */
function repair(input: Buffer): Buffer {
  const end = input.indexOf(headEnd)
  if (end < 0) return input
  const length = input.length - end - headEnd.length
  let head = input.subarray(0, end).toString('latin1')
  if (!/^host:/im.test(head)) head += '\r\nHost: localhost'
  if (/^content-length:/im.test(head))
    head = head.replace(/^content-length:.*$/gim, `Content-Length: ${length}`)
  else if (length > 0 && !/^transfer-encoding:/im.test(head)) head += `\r\nContent-Length: ${length}`
  return Buffer.concat([Buffer.from(head + headEnd, 'latin1'), input.subarray(end + headEnd.length)])
}

/** Adds, removes, repeats or moves a line of the head. */
function change(input: Buffer, random: Random): Buffer {
  const end = input.indexOf(headEnd)
  if (end < 0) return input
  const lines = input.subarray(0, end).toString('latin1').split('\r\n')
  const at = random.below(lines.length)
  const line = lines[at]!
  const added = random.pick(headerNames) + random.pick(tokens)
  const ways = [
    () => lines.splice(at, 1),
    () => lines.splice(at, 0, line),
    () => lines.splice(at, 0, line.replace(/: .*/, `: ${random.pick(tokens)}`)),
    () => lines.splice(at + 1, 0, added),
    () => lines.splice(at + 1, 0, random.pick(headerLines)),
    () => lines.splice(at, 1, line.replace(/: .*/, `: ${random.pick(tokens)}`)),
    () =>
      lines.splice(
        0,
        1,
        lines[0]!.replace(/ (\S*) /, (_, target) => ` ${target}${random.pick(tokens)} `),
      ),
    () => lines.splice(0, 1, lines[0]!.replace(/^\S+/, random.pick(['GET', 'POST', 'HEAD', 'PUT']))),
  ]
  random.pick(ways)()
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), input.subarray(end)])
}

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

/**
 * The edge of the service: bytes go in on a connection. Whatever they are, each answer is one that the contract allows, the fast path and
 * the routes give the same, and the log holds no secret.
 */
export async function createHttpTarget(seed: number): Promise<Target> {
  const { folder, remove } = await temporaryFolder()
  const env = {
    PUBLIC_URL: 'https://shop.example',
    METRICS_TOKEN: 'x'.repeat(40),
    ADMIN_TOKEN: 'y'.repeat(40),
  }
  const hot = await startService({ folder, records, env: { ...env, SALEPROOF_FAST_PATH: 'on' } })
  const routes = await startService({ folder, env: { ...env, SALEPROOF_FAST_PATH: 'off' } })

  const connections = createConnections()

  async function run(input: Buffer) {
    const fast = await connections.ask(hot.url, input)
    const slow = await connections.ask(routes.url, input)
    const answers = answersIn(fast)
    for (const answer of answers) checkAnswer(answer)
    assert.deepEqual(
      answers.map(comparable),
      answersIn(slow).map(comparable),
      'the fast path answers otherwise',
    )
    checkLogs(hot.logs)
    checkLogs(routes.logs)
  }

  return {
    seeds: [
      ...fc.sample(requestArbitrary, { seed, numRuns: 300 }),
      ...fc.sample(repeatedHeaderArbitrary, { seed, numRuns: 200 }),
    ],
    tokens,
    maxLength: 40 * 1024,
    change,
    repair,
    run,
    async close() {
      connections.close()
      await Promise.all([hot.close(), routes.close()])
      await remove()
    },
  }
}
