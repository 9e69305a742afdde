import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { appendFile, copyFile, open, stat } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { usageFilePath } from '../../db/location.ts'
import { UserError } from '../../user-error.ts'

// A backup is a whole SQLite file, which any tool opens; behind it stand the usage file, and a line that says when it was made, how long
// both are, and what the checksum of everything before that is.

const digits = (bytes: number) => String(bytes).padStart(15, '0')

const lastLinePattern =
  /^saleproof-backup 1 (\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z) (\d{15}) (\d{15}) ([0-9a-f]{64})\n$/
const lastLineBytes = 141

async function addToHash(hash: Hash, file: string) {
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk)
}

/** Turns a copy of the database into a backup: appends a copy of the usage file, and the last line. */
export async function finishBackup(
  { draft, usageCopy }: { draft: string; usageCopy: string | undefined },
  created: Date,
) {
  const databaseBytes = (await stat(draft)).size
  const usageBytes = usageCopy ? (await stat(usageCopy)).size : 0
  if (usageCopy) await pipeline(createReadStream(usageCopy), createWriteStream(draft, { flags: 'a' }))
  const hash = createHash('sha256')
  await addToHash(hash, draft)
  const description = `${created.toISOString()} ${digits(databaseBytes)} ${digits(usageBytes)}`
  hash.update(description)
  await appendFile(draft, `saleproof-backup 1 ${description} ${hash.digest('hex')}\n`)
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

/** What the last line of a backup says. Only `extract` verifies it. */
async function describe(file: string) {
  const start = (await stat(file)).size - lastLineBytes
  if (start < 0) throw damaged(file)
  const [, created = '', databaseText, usageText, checksum] =
    lastLinePattern.exec(await readRange(file, start, lastLineBytes)) ?? []
  const [databaseBytes, usageBytes] = [Number(databaseText), Number(usageText)]
  if (databaseBytes === 0 || databaseBytes + usageBytes !== start) throw damaged(file)
  return { created, databaseBytes, usageBytes, checksum }
}

/** Writes the database and, if there is one, the usage file of a backup to new files, and verifies the checksum. */
export async function extract(file: string, { database, usage }: { database: string; usage: string }) {
  const { created, databaseBytes, usageBytes, checksum } = await describe(file)
  const hash = createHash('sha256')
  const copy = (from: number, length: number, target: string) =>
    pipeline(
      createReadStream(file, { start: from, end: from + length - 1, highWaterMark: 1 << 20 }),
      new Transform({
        transform(chunk, _encoding, done) {
          hash.update(chunk)
          done(null, chunk)
        },
      }),
      createWriteStream(target, { flags: 'wx', mode: 0o600 }),
    )
  await copy(0, databaseBytes, database)
  if (usageBytes > 0) await copy(databaseBytes, usageBytes, usage)
  hash.update(`${created} ${digits(databaseBytes)} ${digits(usageBytes)}`)
  if (hash.digest('hex') !== checksum) throw damaged(file)
  return { created }
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
