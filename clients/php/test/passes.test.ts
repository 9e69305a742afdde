import { createHmac, generateKeyPairSync, hash, sign } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFalseService } from '@saleproof/faults/false-service'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { findPhp, installOldPhp, installWasmPhp, type Php } from './php.ts'
import { type Behaviour, says, startService } from './server.ts'

const code = 'SALE-0001-ABCD-EF23'
const other = 'SALE-0002-ABCD-EF23'
const january = 1_767_225_600
const day = 86_400
const end = january + 14 * day
const programs = join(import.meta.dirname, 'programs')

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
const passes = { workspace: 'ada-studio', public_keys: [raw.toString('base64url')] }
const kid = hash('sha256', raw, 'base64url').slice(0, 16)
const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex')
const recordsIn = (folder: string) => readdirSync(folder).filter((name) => /-\w{32}\.php$/.test(name))
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function passFor(sold: string) {
  const sub = hash('sha256', `saleproof-pass\0${sold}`, 'base64url')
  const claims = { aud: 'ada-studio', sub, item: 101, license: 'Regular', iat: january, exp: end }
  const text = `${encode({ alg: 'EdDSA', typ: 'purchase-pass+jwt', kid })}.${encode(claims)}`
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
}

/** A service that gives a valid answer with this pass. */
const signed =
  (pass: (sent: string) => string, itemId?: number): Behaviour =>
  (sent, response) => {
    response.setHeader('x-purchase-pass', pass(sent))
    says.valid(sent, response, itemId)
  }

interface Found {
  checks: {
    outcome: string
    source: string
    graceUntil: number | null
    purchase: { item: object } | null
    error: { code: string } | null
  }[]
  message?: string
}

let php: Php
let service: Awaited<ReturnType<typeof startService>>
let directory: string
beforeAll(async () => {
  php = findPhp()
  service = await startService(says.valid)
  directory = mkdtempSync(join(tmpdir(), 'saleproof-passes-'))
})
afterAll(() => {
  service?.close()
  if (directory) rmSync(directory, { recursive: true, force: true })
})

/** Seals a record, as anybody can who needs no pepper. */
function forge(folder: string, name: string, payload: string, itemId: string | null = '101') {
  const key = hmac('', JSON.stringify([service.url, 'a-key', itemId]).replaceAll('/', '\\/'))
  const seal = hmac(key, `file 2 ${name.slice(26, -4)}\n${payload}`)
  writeFileSync(join(folder, name), `<?php exit; ?>\n${seal}\n${payload}`)
}

async function run(options: object, codes: string[], now = january, use = php): Promise<Found> {
  const common = { base_url: service.url, api_key: 'a-key', item_id: 101, max_retries: 0, passes }
  const given = JSON.stringify({ options: { ...common, ...options }, codes, now })
  const { stdout, stderr } = await use([join(programs, 'check.php'), given])
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

const check = async (now: number, ...codes: string[]) =>
  (await run({ directory }, codes, now)).checks.map(({ outcome, source, error }) =>
    [outcome, source, error?.code].filter(Boolean).join(' '),
  )

const releases: [release: string, use: () => Php][] = [
  ['of the system', () => php],
  ['7.4', installOldPhp],
]

it.each(releases)(
  'agrees with the vectors of every client, and accepts no pass that was changed: PHP %s',
  async (_, use) => {
    const vectors = join(import.meta.dirname, '../../passes.json')
    const { stdout, stderr } = await use()([join(programs, 'passes.php'), vectors])
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({ count: expect.any(Number), wrong: [], accepted: 0 })
  },
)

it.each(releases)(
  'believes no server that plays the service: PHP %s',
  async (_, use) => {
    const falseService = await startFalseService(Number(process.env.FALSE_ANSWERS ?? 120))
    onTestFinished(falseService.close)
    const { stdout, stderr } = await use()([join(programs, 'false-service.php'), falseService.url])
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({
      outcomes: { 'unknown unsigned_response': falseService.plan.count },
      honest: 'valid',
    })
    // Whatever keys it says to have: those are in the program.
    expect(falseService.asked).toEqual({ validations: falseService.plan.count + 1, keys: 0 })
  },
  300_000,
)

it('believes a signed answer alone, and that until the pass ends', async () => {
  let preferred: unknown
  service.behaviour = says.valid
  expect(await check(january, code)).toEqual(['unknown api unsigned_response'])
  service.behaviour = signed(() => passFor(other))
  expect(await check(january, code)).toEqual(['unknown api unsigned_response'])
  service.behaviour = (sent, response) => {
    preferred = response.req.headers.prefer
    signed(passFor)(sent, response)
  }
  const { checks } = await run({ directory }, [code])
  expect(checks).toMatchObject([{ outcome: 'valid', source: 'api', graceUntil: end }])
  expect(preferred).toBe(`pass=${kid}`)
  expect(await check(january, code)).toEqual(['valid cache'])

  // A server that plays the service, or none at all.
  service.behaviour = says.valid
  expect(await check(january + 7 * day, code)).toEqual(['valid grace'])
  service.behaviour = says.down
  expect(await check(end - 1, code, other)).toEqual(['valid grace', 'unknown api unavailable'])
  expect((await check(end, code))[0]).toMatch(/^unknown/)
})

it('ends with a refund, whatever pass there is', async () => {
  service.behaviour = signed(passFor)
  expect(await check(january + day, code)).toEqual(['valid api'])
  service.behaviour = says.refused
  expect(await check(january + 2 * day, code)).toEqual(['invalid api'])
  service.behaviour = says.down
  expect(await check(january + 2 * day + 60, code)).toEqual(['unknown api unavailable'])
})

it('believes nothing that was written into the directory without a pass', async () => {
  service.behaviour = signed(passFor)
  expect(await check(january + 3 * day, code, other)).toEqual(['valid api', 'valid api'])
  service.behaviour = says.down
  const records = recordsIn(directory)
  expect(records).toHaveLength(2)
  const texts = records.map((name) => readFileSync(join(directory, name), 'utf8'))
  // Each code gets the record of the other one.
  for (const [index, name] of records.entries()) forge(directory, name, texts[1 - index]!.split('\n')[2]!)
  expect(await check(january + 4 * day, code)).toEqual(['unknown api unavailable'])
  for (const [index, name] of records.entries()) writeFileSync(join(directory, name), texts[index]!)
  expect(await check(january + 4 * day + 60, code)).toEqual(['valid grace'])
  // Neither a purchase nor a reason.
  const now = january + 5 * day
  for (const name of records) forge(directory, name, JSON.stringify({ at: now, purchase: null }))
  expect(await check(now, code)).toEqual(['unknown api unavailable'])
})

it('takes the item from the pass alone where any item will do', async () => {
  const folder = join(directory, 'any')
  const ask = async () => {
    const { checks } = await run({ item_id: undefined, directory: folder }, [code])
    return checks.map(({ outcome, purchase, error }) => [outcome, purchase?.item ?? error?.code])
  }
  service.behaviour = signed(passFor, 102.5)
  expect(await ask()).toEqual([['unknown', 'unsigned_response']])
  service.behaviour = signed(passFor)
  const sold = [['valid', expect.objectContaining({ id: 101 })]]
  expect(await ask()).toEqual(sold)
  for (const name of recordsIn(folder)) {
    const payload = readFileSync(join(folder, name), 'utf8').split('\n')[2]!
    forge(folder, name, payload.replace('"id":101', '"id":102'), null)
    expect(readFileSync(join(folder, name), 'utf8')).toContain('"id":102')
  }
  service.behaviour = says.down
  expect(await ask()).toEqual(sold)
})

it('says what is missing or wrong when it is made', async () => {
  const message = async (options: object, use = php) => (await run(options, [], january, use)).message
  expect(await message({}, installWasmPhp('7.4'))).toContain('Enable the extension sodium')
  expect(await message({ on_unknown: 'deny' })).toContain('Leave out `on_unknown`')
  expect(await message({ passes: { ...passes, public_keys: [] } })).toContain('one public key')
  expect(await message({ passes: { ...passes, public_keys: ['short'] } })).toContain('`public_keys`')
  expect(await message({ passes: { ...passes, kid } })).toContain('`workspace`')
  expect(await message({ passes: true })).toContain('`public_keys`')
})
