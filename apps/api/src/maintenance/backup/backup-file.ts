import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { appendFile, copyFile, open, stat } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as v from 'valibot'
import { usageFilePath } from '../../db/location.ts'
import { UserError } from '../../user-error.ts'

// A backup is a whole SQLite file, which any tool opens; behind it stand the usage file, a line that describes both, and a last line
// with the length of that one and the checksum of everything before.

const bytes = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const DescriptionSchema = v.object({
  format: v.literal(1),
  created: v.string(),
  /** The version of the build that made it. */
  build: v.string(),
  databaseBytes: bytes,
  usageBytes: bytes,
})

export type Description = v.InferOutput<typeof DescriptionSchema>

const lastLine = (description: string, checksum: string) =>
  `saleproof-backup ${String(Buffer.byteLength(description)).padStart(8, '0')} ${checksum}\n`

const lastLinePattern = /^saleproof-backup (\d{8}) ([0-9a-f]{64})\n$/
const lastLineBytes = lastLine('', '0'.repeat(64)).length
const largestDescription = 64 * 1024

async function addToHash(hash: Hash, file: string, range: { start?: number; end?: number } = {}) {
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20, ...range })) hash.update(chunk)
}

/** Turns a copy of the database into a backup: appends a copy of the usage file, and the description. */
export async function finishBackup(
  { draft, usageCopy }: { draft: string; usageCopy: string | undefined },
  { created, build }: { created: Date; build: string },
) {
  const databaseBytes = (await stat(draft)).size
  const usageBytes = usageCopy ? (await stat(usageCopy)).size : 0
  if (usageCopy) await pipeline(createReadStream(usageCopy), createWriteStream(draft, { flags: 'a' }))
  const content: Description = {
    format: 1,
    created: created.toISOString(),
    build,
    databaseBytes,
    usageBytes,
  }
  const description = `${JSON.stringify(content)}\n`
  await appendFile(draft, description)
  const hash = createHash('sha256')
  await addToHash(hash, draft)
  await appendFile(draft, lastLine(description, hash.digest('hex')))
}

const damaged = (file: string) =>
  new UserError(`${file} is no backup of Saleproof, or is damaged or cut short: use another one`)

async function readRange(file: string, start: number, length: number): Promise<string> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

function parseDescription(text: string): Description | undefined {
  try {
    const result = v.safeParse(DescriptionSchema, JSON.parse(text))
    return result.success ? result.output : undefined
  } catch {
    return undefined
  }
}

/** The description in a backup. Only `extract` verifies it. */
async function describe(file: string) {
  const { size } = await stat(file)
  if (size < lastLineBytes) throw damaged(file)
  const [, written, checksum] =
    lastLinePattern.exec(await readRange(file, size - lastLineBytes, lastLineBytes)) ?? []
  const length = Number(written)
  const start = size - lastLineBytes - length
  if (checksum === undefined || length > largestDescription || start < 0) throw damaged(file)
  const description = parseDescription(await readRange(file, start, length))
  if (!description || description.databaseBytes + description.usageBytes !== start) throw damaged(file)
  return { description, checksum, start, end: size - lastLineBytes }
}

/** Writes the database and, if there is one, the usage file of a backup to new files, and verifies the checksum. */
export async function extract(
  file: string,
  { database, usage }: { database: string; usage: string },
): Promise<Description> {
  const { description, checksum, start, end } = await describe(file)
  const hash = createHash('sha256')
  const copy = (from: number, to: number, target: string) =>
    pipeline(
      createReadStream(file, { start: from, end: to - 1, highWaterMark: 1 << 20 }),
      new Transform({
        transform(chunk, _encoding, done) {
          hash.update(chunk)
          done(null, chunk)
        },
      }),
      createWriteStream(target, { flags: 'wx', mode: 0o600 }),
    )
  const { databaseBytes } = description
  if (databaseBytes === 0) throw damaged(file)
  await copy(0, databaseBytes, database)
  if (start > databaseBytes) await copy(databaseBytes, start, usage)
  await addToHash(hash, file, { start, end: end - 1 })
  if (hash.digest('hex') !== checksum) throw damaged(file)
  return description
}

/**
 * Reads a plain copy of a database, such as the one that is made before a migration. It has no checksum: a missing end may go unnoticed.
 */
export async function copyPlain(file: string, { database, usage }: { database: string; usage: string }) {
  if (existsSync(`${file}-wal`))
    throw new UserError(`${file} has a log beside it, ${file}-wal: it is in use, or was not closed`)
  await pipeline(createReadStream(file), createWriteStream(database, { flags: 'wx', mode: 0o600 }))
  if (existsSync(usageFilePath(file))) await copyFile(usageFilePath(file), usage)
  return { created: (await stat(file)).mtime.toISOString() }
}
