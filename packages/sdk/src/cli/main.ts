#!/usr/bin/env node
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { createClient } from '../client.ts'
import { isSaleproofError } from '../errors.ts'
import { explain } from '../messages.ts'
import { verifyPasses } from '../passes.ts'
import type { PurchaseCheck } from '../types.ts'

const exitCodes = { valid: 0, invalid: 1, unknown: 2 } as const
const wrongUsage = 64

const usage = `Usage: saleproof-check CODE [--item ID] [--json]
                       [--public-key=KEY --workspace SLUG] [--allow-insecure-http]

Checks a purchase code.

  --item ID      the item that the code must be for
  --json         prints the check as JSON
  --public-key=K believes signed responses alone
  --workspace S  the workspace of the key
  --allow-insecure-http
                 allows http: to another machine: who reads the network reads the key
  --help         prints this

Write -- before a code that begins with a hyphen, and = before such a value.
The address of the API comes from SALEPROOF_URL, the key from SALEPROOF_API_KEY or, without it, from standard input.
Exit codes: 0 valid, 1 invalid, 2 unknown, 64 wrong usage.`

const options = {
  item: { type: 'string' },
  json: { type: 'boolean' },
  'public-key': { type: 'string', multiple: true },
  workspace: { type: 'string' },
  'allow-insecure-http': { type: 'boolean' },
  help: { type: 'boolean' },
} as const

/** The arguments, or what is wrong with them. */
function parse() {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    // Not its own words: they would repeat a key that was given as an argument.
    const [, name = ''] = /^Option '--([\w-]+)/.exec(Object(error).message) ?? []
    return Object.hasOwn(options, name)
      ? `--${name} lacks its value, or takes none`
      : 'an option is not known'
  }
}

function describe(check: PurchaseCheck): string {
  if (check.outcome === 'valid') return `valid: ${check.purchase.item.name} (item ${check.purchase.item.id})`
  const reason = check.outcome === 'invalid' ? `${check.reason}. ` : ''
  return `${check.outcome}: ${reason}${explain(check)}`
}

function usageError(problem: string): number {
  console.error(`saleproof-check: ${problem}\n\n${usage}`)
  return wrongUsage
}

/** Gives the exit code. */
async function run(): Promise<number> {
  const { env, stdin } = process
  const parsed = parse()
  if (typeof parsed === 'string') return usageError(parsed)
  const { values, positionals } = parsed
  if (values.help) {
    console.log(usage)
    return 0
  }
  const [code, ...others] = positionals
  if (code === undefined || others.length > 0) return usageError('give exactly one purchase code')
  const baseUrl = env.SALEPROOF_URL
  if (!baseUrl) return usageError('give the address of the API: SALEPROOF_URL')
  const apiKey = env.SALEPROOF_API_KEY || (stdin.isTTY ? '' : await text(stdin))
  if (!apiKey.trim()) return usageError('give the API key: SALEPROOF_API_KEY or standard input')
  try {
    const { workspace = '', 'public-key': publicKeys = [], 'allow-insecure-http': allowInsecureHttp } = values
    const passes = workspace || publicKeys.length ? verifyPasses({ workspace, publicKeys }) : undefined
    const client = createClient({ baseUrl, apiKey, allowInsecureHttp, passes })
    // As text: the client judges it by its own rule, and a number would hide what was typed (`0x65`).
    const item = values.item === undefined ? {} : { itemId: values.item }
    const check = await client.checkPurchase(code, item)
    console.log(values.json ? JSON.stringify(check) : describe(check))
    return exitCodes[check.outcome]
  } catch (error) {
    if (!isSaleproofError(error)) throw error
    const given: Readonly<Record<string, string>> = {
      itemId: '--item',
      baseUrl: 'SALEPROOF_URL',
      apiKey: env.SALEPROOF_API_KEY ? 'SALEPROOF_API_KEY' : 'standard input',
      allowInsecureHttp: '--allow-insecure-http',
      publicKeys: '--public-key',
      workspace: '--workspace',
    }
    return usageError(error.message.replace(/`(\w+)`/g, (_, name) => given[name] ?? name))
  }
}

process.exitCode = await run()
