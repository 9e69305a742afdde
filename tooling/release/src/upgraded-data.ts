import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CommandOptions, run, serve } from './command.ts'
import { type Answers, answersOf, type Questions } from './questions.ts'

/** How a build is started. */
export type Build = readonly [string, ...string[]]

export interface UpgradeOptions {
  before: Build
  after: Build
  /** NDJSON that the build before takes. */
  example: string
  folder: string
}

type Exported = Record<string, unknown>

const recordsIn = (ndjson: string): Exported[] =>
  ndjson
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

export const environment = {
  WEB_CONCURRENCY: '1',
  SALEPROOF_RATE_LIMIT: 'off',
  SALEPROOF_FAILURE_LIMIT: 'off',
  PORT: '0',
}

const keyRecords = (workspace: string) =>
  [
    { name: 'secret', key: 'upgrade_secret_0123456789' },
    { name: 'publishable', key: 'upgrade_publishable_0123456789', publishable: true },
    { name: 'expired', key: 'upgrade_expired_0123456789', expires_at: '2020-01-01T00:00:00Z' },
    { name: 'revoked', key: 'upgrade_revoked_0123456789', revoked_at: '2020-01-01T00:00:00Z' },
  ].map((record) => ({ type: 'api_key', workspace, ...record }))

/** Runs a command of a build that has to succeed; gives what it writes. */
export async function command(build: Build, args: readonly string[], options: CommandOptions) {
  const { code, stdout, stderr } = await run([...build, ...args], options)
  if (code !== 0) throw new Error(`saleproof ${args[0]}: ${stderr}`)
  return stdout
}

/** A database that a build made, and everything that callers may ask of it. */
export async function makeData(build: Build, example: string, options: CommandOptions) {
  const lines = readFileSync(example, 'utf8').trim()
  const keys = keyRecords(/"type":"workspace","slug":"([^"]+)"/.exec(lines)?.[1] ?? '')
  const file = join(options.cwd, 'records.ndjson')
  writeFileSync(file, [lines, ...keys.map((record) => JSON.stringify(record))].join('\n'))
  await command(build, ['import', file], options)
  const demoKey = (await command(build, ['demo'], options)).trim()
  const exported = await command(build, ['export'], options)
  const records = recordsIn(exported)
  const questions: Questions = {
    keys: [demoKey, ...keys.map(({ key }) => key), 'nobody_has_this_key'],
    items: [...records.flatMap(({ type, id }) => (type === 'item' ? [Number(id)] : [])), 4_000_000],
    codes: [
      ...records.flatMap(({ type, purchase_code: code }) => (type === 'purchase' ? [String(code)] : [])),
      'no-such-code',
    ],
  }
  return { questions, exported }
}

export async function ask(build: Build, questions: Questions, options: CommandOptions) {
  const server = await serve([...build, 'serve'], options)
  try {
    return { answers: await answersOf(server.url, questions), output: server.output.stderr }
  } finally {
    await server.stop()
  }
}

/** What is answered otherwise; without the answers, for there are purchase codes in them. */
export const differences = (expected: Answers, found: Answers, when: string) =>
  Object.entries(expected).flatMap(([question, { head, body }]) => {
    const answer = found[question]
    if (answer?.head !== head) return [`${when}: ${question}: ${answer?.head} instead of ${head}`]
    return answer.body === body ? [] : [`${when}: ${question}: another body`]
  })

const members = (record: Exported) => Object.entries(record).map((member) => JSON.stringify(member))

/** Records that another build does not export any more, with at least the same members. */
export function lostRecords(before: string, after: string): string[] {
  const now = recordsIn(after).map((record) => new Set(members(record)))
  const isLost = (record: Exported) => !now.some((set) => members(record).every((member) => set.has(member)))
  return recordsIn(before)
    .filter(isLost)
    .map(({ type }) => `a record of the type ${type} was lost or changed`)
}
