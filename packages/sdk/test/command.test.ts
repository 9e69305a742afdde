import { type ExecFileException, execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { startFalseService } from '@saleproof/faults/false-service'
import { expect, it, onTestFinished } from 'vitest'
import { apiKey, bodies, code, refusal } from './records.ts'
import { serve } from './server.ts'

const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))

/** The command as a process of its own. */
const run = (args: readonly string[], env: Record<string, string> = {}, input = '') =>
  new Promise<{ exit: number; out: string; err: string }>((resolve) => {
    const nodeArgs = ['--conditions=@saleproof/source', '--no-warnings', main, ...args]
    const done = (error: ExecFileException | null, out: string, err: string) =>
      resolve({ exit: Number(error?.code ?? 0), out, err })
    const child = execFile(process.execPath, nodeArgs, { env: { PATH: process.env.PATH, ...env } }, done)
    child.stdin!.end(input)
  })

it('exits 0, 1 and 2 for valid, invalid and unknown', async () => {
  await using server = await serve(({ form, headers }) => {
    if (headers.authorization !== `Bearer ${apiKey}`)
      return { status: 401, headers: { 'x-error-code': 'invalid_api_key' }, body: refusal() }
    if (form.purchase_code === code) return { body: bodies.purchase }
    return { status: 404, headers: { 'x-error-code': 'purchase_not_found' }, body: refusal() }
  })
  const env = { SALEPROOF_URL: server.url, SALEPROOF_API_KEY: apiKey }
  expect(await run([code], env)).toEqual({ exit: 0, out: 'valid: Icon pack (item 101)\n', err: '' })
  expect(await run([code, '--item', '102'], env)).toMatchObject({
    exit: 1,
    out: 'invalid: wrong_item. The purchase code is of another item.\n',
  })
  expect(await run(['nothing'], env)).toMatchObject({
    exit: 1,
    out: expect.stringMatching(/^invalid: purchase_not_found\. No purchase/),
  })
  const wrongKey = await run([code], { ...env, SALEPROOF_API_KEY: 'another-key' })
  expect(wrongKey).toMatchObject({
    exit: 2,
    out: expect.stringMatching(/^unknown: This service knows no such API key/),
  })
  const fromInput = await run([code, '--json'], { SALEPROOF_URL: server.url }, `${apiKey}\n`)
  expect(fromInput.exit).toBe(0)
  expect(JSON.parse(fromInput.out)).toMatchObject({ outcome: 'valid', purchase: { purchase_code: code } })
})

it('believes responses alone that were signed, where it is given a public key', async () => {
  const service = await startFalseService()
  onTestFinished(service.close)
  const { workspace, publicKeys } = service.plan
  const env = { SALEPROOF_URL: service.url, SALEPROOF_API_KEY: apiKey }
  const keys = publicKeys.map((key) => `--public-key=${key}`)
  // As one word: one key of 64 begins with `-`.
  const others = `--public-key=${generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x}`
  expect(await run(['newer-1'], env)).toMatchObject({ exit: 0 })
  const signed = ['--workspace', workspace, others, ...keys]
  expect(await run(['honest-1', ...signed], env)).toMatchObject({ exit: 0, err: '' })
  expect(await run(['newer-1', ...signed], env)).toMatchObject({
    exit: 2,
    out: expect.stringMatching(/^unknown: /),
  })
  for (const [args, said] of [
    [keys, 'Check --workspace: it is missing.'],
    [['--workspace', workspace], 'Check --public-key: it is invalid.'],
    [['--workspace', workspace, '--public-key=-hort'], 'Check --public-key: it is invalid.'],
  ] as const) {
    const { exit, err } = await run(['honest-1', ...args], env)
    expect([exit, err.split('\n')[0]]).toEqual([64, `saleproof-check: ${said}`])
  }
})

it('sends a key over http: to another machine only when allowed', async () => {
  await using server = await serve(() => ({ body: bodies.purchase }))
  // Not an address of this machine alone, although it leads there.
  const env = { SALEPROOF_URL: server.url.replace('127.0.0.1', '0.0.0.0'), SALEPROOF_API_KEY: apiKey }
  const refused = await run([code], env)
  expect(refused).toMatchObject({ exit: 64, err: expect.stringContaining('--allow-insecure-http') })
  expect(await run([code, '--allow-insecure-http'], env)).toMatchObject({ exit: 0 })
  expect(server.received).toHaveLength(1)
})

it('exits 64 for wrong usage, and never repeats an argument', async () => {
  const env = { SALEPROOF_URL: 'https://market.example.com', SALEPROOF_API_KEY: apiKey }
  const insecure = 'http://market.example.com'
  const wrong: [string[], Record<string, string>, said: string][] = [
    [[], env, 'give exactly one purchase code'],
    [[code, 'second'], env, 'give exactly one purchase code'],
    [[code, `--key=${apiKey}`], env, 'an option is not known'],
    [['-A-CODE'], env, 'an option is not known'],
    [['--', '-A-CODE', code], env, 'give exactly one purchase code'],
    [[code, '--item', 'first'], env, 'Check --item: it is invalid.'],
    [[code, '--item='], env, 'Check --item: it is missing.'],
    [[code, '--item'], env, '--item lacks its value, or takes none'],
    [[code, '--json=yes'], env, '--json lacks its value, or takes none'],
    [[code], { ...env, SALEPROOF_URL: 'market' }, 'Check SALEPROOF_URL: it is invalid.'],
    [
      [code],
      { ...env, SALEPROOF_URL: insecure },
      'Check SALEPROOF_URL or --allow-insecure-http: it is invalid.',
    ],
    [[code], { ...env, SALEPROOF_API_KEY: `${apiKey} x` }, 'Check SALEPROOF_API_KEY: it is invalid.'],
    [[code], { SALEPROOF_API_KEY: apiKey }, 'give the address of the API: SALEPROOF_URL'],
    [[code], { SALEPROOF_URL: env.SALEPROOF_URL }, 'give the API key: SALEPROOF_API_KEY or standard input'],
  ]
  for (const [args, environment, said] of wrong) {
    const { exit, out, err } = await run(args, environment)
    expect({ args, exit, out }).toEqual({ args, exit: 64, out: '' })
    expect(err.split('\n')[0]).toBe(`saleproof-check: ${said}`)
    expect(err).toContain('Usage: saleproof-check')
    expect(err).not.toContain(apiKey)
    expect(err).not.toContain(code)
  }
  expect(await run(['--help'])).toMatchObject({
    exit: 0,
    out: expect.stringContaining('Exit codes: 0 valid'),
  })
})
