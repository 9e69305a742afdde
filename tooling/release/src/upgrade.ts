import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CommandOptions, run, serve } from '@saleproof/process'
import { differences, fetchResponses, type Responses, type Subjects } from './responses.ts'

/** The command line of a build, without its arguments. */
export type Build = readonly [string, ...string[]]

export interface Previous {
  before: Build
  /** NDJSON that the previous build accepts. */
  example: string
  folder: string
  /** An empty PostgreSQL database; without one, a file is upgraded. */
  databaseUrl?: string | undefined
}

/** A database that the previous build has filled, what that exports, and what it answers. */
export interface Filled {
  before: Build
  folder: string
  databaseUrl: string | undefined
  secret: string
  subjects: Subjects
  exported: string
  expected: Responses
}

interface ExportedRecord {
  type: string
  [field: string]: unknown
}

const parseRecords = (ndjson: string): ExportedRecord[] =>
  ndjson
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

const keyRecords = (workspace: string) =>
  [
    { name: 'secret', key: 'upgrade_secret_0123456789' },
    { name: 'publishable', key: 'upgrade_publishable_0123456789', publishable: true },
    { name: 'expired', key: 'upgrade_expired_0123456789', expires_at: '2020-01-01T00:00:00Z' },
    { name: 'revoked', key: 'upgrade_revoked_0123456789', revoked_at: '2020-01-01T00:00:00Z' },
  ].map((record) => ({ type: 'api_key', workspace, ...record }))

/** Runs a command that has to succeed; returns its output. */
async function command(build: Build, args: readonly string[], options: CommandOptions): Promise<string> {
  const { code, stdout, stderr } = await run([...build, ...args], options)
  if (code !== 0) throw new Error(`saleproof ${args[0]}: ${stderr}`)
  return stdout
}

const maxCodes = 40

/** Values from all over a list: the export compares every record, requests take one after the other. */
const sample = <T>(values: readonly T[], count: number) =>
  values.filter((_, index) => index % Math.ceil(values.length / count) === 0)

/** Fills a database; returns its export and what callers may ask for. */
async function makeData(build: Build, example: string, options: CommandOptions) {
  const lines = readFileSync(example, 'utf8').trim()
  const keys = keyRecords(/"type":"workspace","slug":"([^"]+)"/.exec(lines)?.[1] ?? '')
  const file = join(options.cwd, 'records.ndjson')
  writeFileSync(file, [lines, ...keys.map((record) => JSON.stringify(record))].join('\n'))
  await command(build, ['import', file], options)
  const demoKey = (await command(build, ['demo'], options)).trim()
  const exported = await command(build, ['export'], options)
  const records = parseRecords(exported)
  const listValues = (type: string, field: string) =>
    records.filter((record) => record.type === type).map((record) => record[field])
  const subjects: Subjects = {
    keys: [demoKey, ...keys.map(({ key }) => key), 'unknown_key_0123456789'],
    items: [...listValues('item', 'id').map(Number), 4_000_000],
    codes: [...sample(listValues('purchase', 'purchase_code').map(String), maxCodes), 'no-such-code'],
  }
  return { subjects, exported }
}

/** Serves with a build while something is done; returns its result and the log. */
async function whileServing<T>(build: Build, options: CommandOptions, act: (url: string) => Promise<T>) {
  const server = await serve([...build, 'serve'], options)
  try {
    return { result: await act(server.url), log: server.output.stderr }
  } finally {
    await server.stop()
  }
}

/** Records that another build does not export any more with at least the same fields. */
function lostRecords(before: string, after: string): string[] {
  const serializeFields = (record: ExportedRecord) =>
    Object.entries(record).map((field) => JSON.stringify(field))
  const exported = parseRecords(after).map((record) => new Set(serializeFields(record)))
  return parseRecords(before)
    .filter(
      (record) => !exported.some((fields) => serializeFields(record).every((field) => fields.has(field))),
    )
    .map(({ type }) => `a record of type ${type} was lost or changed`)
}

/** Restores the copy that an upgrade of a file leaves beside it. */
async function restoreCopy(build: Build, log: string, options: CommandOptions): Promise<string[]> {
  const copy = /migrated the database.* in (\S+)$/m.exec(log)?.[1]
  if (copy === undefined) return []
  if (!existsSync(copy)) return [`there is no copy ${copy}`]
  const { code, stderr } = await run([...build, 'restore', '--plain', '--force', copy], options)
  return code === 0 ? [] : [`the copy was not restored: ${stderr}`]
}

const serviceOptions = ({
  folder,
  databaseUrl,
  secret,
}: Pick<Filled, 'folder' | 'databaseUrl' | 'secret'>) => {
  const limits = {
    WEB_CONCURRENCY: '1',
    SALEPROOF_RATE_LIMIT: 'off',
    SALEPROOF_FAILURE_LIMIT: 'off',
    PORT: '0',
  }
  const server = { DATABASE_URL: databaseUrl ?? '', SALEPROOF_SECRET: secret }
  return { cwd: folder, env: { ...limits, ...(databaseUrl !== undefined && server) } }
}

/** Fills an empty database with the previous build. */
export async function fillDatabase({ before, example, folder, databaseUrl }: Previous): Promise<Filled> {
  mkdirSync(folder, { recursive: true })
  const place = { before, folder, databaseUrl, secret: randomBytes(32).toString('base64') }
  const options = serviceOptions(place)
  if (databaseUrl !== undefined) await command(before, ['migrate'], options)
  const data = await makeData(before, example, options)
  const { result } = await whileServing(before, options, (url) => fetchResponses(url, data.subjects))
  return { ...place, ...data, expected: result }
}

/**
 * Upgrades a database as the documentation says and goes back; returns what callers or operators would notice. On PostgreSQL
 * instances of the previous build serve during the migration and after it; where they cannot, nothing more is tried.
 */
export async function upgradeProblems(filled: Filled, after: Build) {
  const { before, databaseUrl, subjects, exported, expected } = filled
  const options = serviceOptions(filled)
  const serveAndRequest = (build: Build) =>
    whileServing(build, options, (url) => fetchResponses(url, subjects))

  if (databaseUrl !== undefined) {
    const { result } = await whileServing(before, options, async (url) => {
      await command(after, ['migrate'], options)
      return fetchResponses(url, subjects)
    })
    const found = differences(expected, result, 'previous build after the migration')
    if (found.length > 0) return found
  }
  const upgraded = await serveAndRequest(after)
  const problems = differences(expected, upgraded.result, 'after the upgrade')
  problems.push(...lostRecords(exported, (await run([...after, 'export'], options)).stdout))
  const doctor = await run([...after, 'doctor'], options)
  if (doctor.code !== 0) problems.push(`doctor: ${doctor.stdout}`)

  if (databaseUrl === undefined) problems.push(...(await restoreCopy(before, upgraded.log, options)))
  const back = await serveAndRequest(before).catch((error: Error) => error)
  if (back instanceof Error) return [...problems, `the previous build does not start again: ${back.message}`]
  return [...problems, ...differences(expected, back.result, 'after going back')]
}
