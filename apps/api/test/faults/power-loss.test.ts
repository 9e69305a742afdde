import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/open-database.ts'
import { migrations } from '../support/folders.ts'
import { load, temporaryFolder } from '../support/harness.ts'
import { type Random, seededRandom } from '../support/random.ts'
import { records } from '../support/records.ts'

// A few in a test run; CHAOS_KILLS=1000 takes about half an hour.
const kills = Number(process.env.CHAOS_KILLS || 5)
/** A new database after so many: each copy of it is checked as a whole. */
const killsOfOne = 20

/** What of the log is known to be on the disk. */
interface Synced {
  salts: string
  frames: number
}

interface Home {
  folder: string
  /** Codes with the state that was confirmed last. */
  confirmed: Map<string, string>
  synced: Synced
  /** What `.commits` held after each kill: nothing syncs it. */
  commits: Buffer[]
}

const readLog = (folder: string) =>
  existsSync(fileIn(folder, '-wal')) ? readFileSync(fileIn(folder, '-wal')) : Buffer.alloc(0)

const fileIn = (folder: string, ending = '') => join(folder, `test.db${ending}`)

/** As a start does, which asks for nothing. */
const open = (folder: string) =>
  openDatabase({
    databaseUrl: 'file:./test.db',
    secret: undefined,
    cwd: folder,
    migrations,
    busyTimeoutMs: 50,
    clock: () => new Date(),
    migrate: 'always',
  })

async function createHome(): Promise<Home> {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const opened = await open(folder)
  await load(opened, records)
  await opened.close()
  return { folder, confirmed: new Map(), synced: { salts: '', frames: 0 }, commits: [] }
}

/** Runs what writes until a random time: while it starts, writes, makes a checkpoint or ends. Gives how much it has confirmed. */
async function killWriter({ folder, confirmed }: Home, name: string, random: Random): Promise<number> {
  const script = join(import.meta.dirname, 'confirming.ts')
  const args = ['--conditions=@saleproof/source', script, folder, name]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'close')
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (data) => {
      output[stream] += data
    })
  if (random.below(8)) {
    while (!output.stdout.includes('ready') && child.exitCode === null)
      await Promise.race([once(child.stdout, 'data'), exited])
    await sleep(random.below(400))
    if (random.below(8) === 0) {
      child.kill('SIGTERM')
      await sleep(random.below(20))
    }
  } else {
    await sleep(random.below(600))
  }
  child.kill('SIGKILL')
  const [code] = await exited
  // It was killed, or it had ended as it should.
  expect([null, 0], output.stderr).toContain(code)
  const lines = output.stdout.split('\n').slice(1, -1)
  for (const line of lines) {
    const [state = '', purchase = ''] = line.split(' ')
    confirmed.set(purchase, state)
  }
  return lines.length
}

const [headerBytes, frameHeaderBytes, pageBytes, sectorBytes] = [32, 24, 4096, 512]
const frameBytes = frameHeaderBytes + pageBytes

/** The index of the log, where it is as a commit leaves it: https://www.sqlite.org/walformat.html#the_wal_index_file_format */
function readIndex(folder: string) {
  const file = fileIn(folder, '-shm')
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
  const isWhole =
    bytes.length > 136 && bytes[12] === 1 && bytes.subarray(0, 48).equals(bytes.subarray(48, 96))
  if (!isWhole) return undefined
  const at = (index: number) => bytes.readUInt32LE(index * 4)
  return { salts: bytes.toString('hex', 32, 40), frames: at(4), moved: at(24), attempted: at(32) }
}

/** A frame is in the index once it is synced, unless a start found it in the log: then with the first commit. */
function updateSynced(home: Home, confirmed: number) {
  const index = readIndex(home.folder)
  if (!index) return
  const { salts, frames, moved } = index
  const known = salts === home.synced.salts ? Math.max(home.synced.frames, moved) : frames
  home.synced = { salts, frames: confirmed ? frames : Math.min(known, frames) }
}

/** Whether the log has frames that are not known to be synced. */
function holdsMore({ folder, synced: { salts, frames } }: Home) {
  const next = headerBytes + frames * frameBytes
  return readLog(folder).toString('hex', next + 8, next + 16) === salts
}

/** Any sector that was not synced may be lost, and what follows the last one that is not. */
function loseSectors(bytes: Buffer, from: number, random: Random): Buffer {
  for (let at = from; at < bytes.length; ) {
    const next = Math.min((Math.floor(at / sectorBytes) + 1) * sectorBytes, bytes.length)
    if (random.below(2)) bytes.fill(0, at, next)
    at = next
  }
  const end = random.below(2) ? bytes.length : from + random.below(bytes.length - from + 1)
  return bytes.subarray(0, end)
}

/** Any page that a checkpoint was writing may be half written. The first sector says what the file is, in either state. */
function loseCheckpoint(
  folder: string,
  { moved, attempted }: { moved: number; attempted: number },
  random: Random,
) {
  const log = readFileSync(fileIn(folder, '-wal'))
  const bytes = readFileSync(fileIn(folder))
  for (let frame = moved; frame < attempted; frame++) {
    const page = log.readUInt32BE(headerBytes + frame * frameBytes)
    for (let at = 0; at < pageBytes; at += sectorBytes) {
      const start = (page - 1) * pageBytes + at
      if (start > 0 && start < bytes.length && random.below(2))
        bytes.fill(random.below(256), start, start + sectorBytes)
    }
  }
  writeFileSync(fileIn(folder), bytes)
}

/**
 * What a loss of power may leave of the files: all that was synced, and of what was not any sectors. The index of the log is never synced,
 * nor is `.commits`. Not among it: what a file system or a disk loses that had reported it as synced.
 */
function losePower(home: Home, folder: string, random: Random) {
  const index = readIndex(folder)
  const log = fileIn(folder, '-wal')
  const salts = readLog(folder).toString('hex', 16, 24)
  if (index && index.attempted > index.moved) loseCheckpoint(folder, index, random)
  if (index && salts === home.synced.salts)
    writeFileSync(log, loseSectors(readFileSync(log), headerBytes + home.synced.frames * frameBytes, random))
  rmSync(fileIn(folder, '-shm'), { force: true })
  if (random.below(2)) writeFileSync(fileIn(folder, '-shm'), Buffer.alloc(32_768, random.below(256)))
  const commits = fileIn(folder, '.commits')
  if (!existsSync(commits) || random.below(2)) return
  const left = random.pick([undefined, Buffer.alloc(0), ...home.commits])
  if (left) writeFileSync(commits, left)
  else rmSync(commits)
}

/** What a system leaves of the last frames after a kill: the beginning of one, or one whose checksum is wrong. */
function tearFrame(folder: string, random: Random) {
  const log = fileIn(folder, '-wal')
  const index = readIndex(folder)
  if (!existsSync(log) || !index?.frames) return
  const end = headerBytes + index.frames * frameBytes
  const last = readFileSync(log).subarray(end - frameBytes, end)
  truncateSync(log, end)
  last[random.below(frameBytes)]! ^= 1 << random.below(8)
  appendFileSync(log, last.subarray(0, random.below(2) ? frameBytes : random.below(frameBytes)))
}

/** A start asks for nothing, and whatever was confirmed is there. */
async function requireConfirmed(folder: string, confirmed: ReadonlyMap<string, string>) {
  await (await open(folder)).close()
  const file = new Sqlite(fileIn(folder), { readonly: true })
  const rows = file.prepare<[], [string, string]>('SELECT code, state FROM Purchase').raw().all()
  const states = new Map(rows)
  const missing = [...confirmed].filter(
    ([code, state]) => ![state, 'refunded'].includes(states.get(code) ?? ''),
  )
  expect(missing).toEqual([])
  expect(file.pragma('integrity_check', { simple: true })).toBe('ok')
  file.close()
}

/** With times as they are: a file that has another one was changed by another program. */
async function withCopy(home: Home, damage: (folder: string) => void) {
  const copy = `${home.folder}-copy`
  try {
    execFileSync('cp', ['-a', home.folder, copy])
    damage(copy)
    await requireConfirmed(copy, home.confirmed)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

test(`${kills} kills, torn frames and losses of power: what was confirmed is there, and no start asks`, {
  retry: 0,
  timeout: 60_000 + kills * 15_000,
}, async () => {
  const random = seededRandom()
  const counts = { confirmed: 0, checkpoints: 0, unsynced: 0 }
  let home = await createHome()
  for (let kill = 0; kill < kills; kill++) {
    if (kill % killsOfOne === 0) home = await createHome()
    const confirmed = await killWriter(home, `shop-${kill}`, random)
    updateSynced(home, confirmed)
    counts.confirmed += confirmed
    const index = readIndex(home.folder)
    counts.checkpoints += Number(index !== undefined && index.attempted > index.moved)
    counts.unsynced += Number(index !== undefined && holdsMore(home))
    const commits = fileIn(home.folder, '.commits')
    if (existsSync(commits)) home.commits.push(readFileSync(commits))
    await withCopy(home, () => {})
    await withCopy(home, (folder) => tearFrame(folder, random))
    for (let loss = 0; loss < 3; loss++) await withCopy(home, (folder) => losePower(home, folder, random))
    if ((kill + 1) % 100 === 0 || kill + 1 === kills)
      console.log(JSON.stringify({ kills: kill + 1, ...counts }))
  }
})
