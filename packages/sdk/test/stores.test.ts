import { execFile } from 'node:child_process'
import { link, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDurableObjectsStore } from '../src/durable-objects.ts'
import type { GateEntry } from '../src/gate/gate-store.ts'
import {
  createRedisStore,
  type GateStore,
  type RawStore,
  type RedisCommand,
  sealStore,
} from '../src/gate/index.ts'
import { createFiles } from '../src/node/files.ts'
import { createFileStore, type FileStoreOptions } from '../src/node/index.ts'
import { createWebStorageStore, type WebStorage } from '../src/web-storage.ts'
import { createWorkersKvStore, type KvNamespace } from '../src/workers-kv.ts'
import { purchaseBase } from './records.ts'

const run = promisify(execFile)
const hour = 3_600_000
const pepper = 'a pepper of this installation, 32 characters or more'
const otherPepper = 'a pepper of another installation, as long as the first'
const yes: GateEntry = { outcome: 'valid', at: 1_000, purchase: { ...purchaseBase, purchase_code: '' } }
const no: GateEntry = { outcome: 'invalid', at: 2_000, reason: 'purchase_not_active' }

function mapStore() {
  const texts = new Map<string, string>()
  const raw: RawStore = {
    get: (key) => texts.get(key),
    set: (key, value) => texts.set(key, value),
    delete: (key) => texts.delete(key),
  }
  return { texts, raw, store: sealStore(raw, { pepper }) }
}

/** The one text of a store, under its key. */
const only = (texts: Map<string, string>): [string, string] => {
  const [entry] = texts
  if (!entry) throw new Error('the store is empty')
  return entry
}

async function temporaryDirectory() {
  const directory = await mkdtemp(join(tmpdir(), 'saleproof-store-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

describe('a sealed store', () => {
  it('returns what was set last, frozen, and forgets what was deleted', async () => {
    const { store, raw } = mapStore()
    expect(await store.get('a')).toBeUndefined()
    await store.set('a', no, hour)
    await store.set('a', yes, hour)
    await store.set('b', no, hour)
    for (const each of [store, sealStore(raw, { pepper: ` ${pepper}\n` })]) {
      const found = await each.get('a')
      expect(found).toEqual(yes)
      expect([Object.isFrozen(found), Object.isFrozen(found?.purchase?.item.media)]).toEqual([true, true])
    }
    await store.delete('a')
    expect([await store.get('a'), await store.get('b')]).toEqual([undefined, no])
  })

  it('shows the raw store hashed keys and no key in clear', async () => {
    const key = fc.string({ minLength: 8, unit: 'grapheme-ascii' })
    await fc.assert(
      fc.asyncProperty(key, async (key) => {
        const { store, texts } = mapStore()
        await store.set(key, yes, hour)
        const [name, text] = only(texts)
        expect(name).toMatch(/^[0-9a-f]{64}$/)
        expect(text).toMatch(/^[A-Za-z0-9+/]+=*$/)
        expect(name + text).not.toContain(key)
        expect(await store.get(key)).toEqual(yes)
      }),
    )
  })

  it('does not accept an entry that was written by hand', async () => {
    const { store, texts } = mapStore()
    await store.set('never-sold-0', no, hour)
    const [name] = only(texts)
    const payload = JSON.stringify(yes)
    for (const text of ['', '.', payload, btoa(payload), btoa('x'.repeat(12)), 'A'.repeat(10_000)]) {
      texts.set(name, text)
      await expect(store.get('never-sold-0')).rejects.toThrow('does not verify')
    }
  })

  it('does not accept an entry that was altered in any place', async () => {
    const { store, texts } = mapStore()
    await store.set('a', no, hour)
    const [name, text] = only(texts)
    await fc.assert(
      fc.asyncProperty(
        fc.nat(text.length - 1),
        fc.constantFrom('0', '1', 'f', '"', 'é', ''),
        async (at, by) => {
          const altered = text.slice(0, at) + by + text.slice(at + 1)
          // The last character has bits that mean nothing.
          fc.pre(!Buffer.from(altered, 'base64').equals(Buffer.from(text, 'base64')))
          texts.set(name, altered)
          await expect(store.get('a')).rejects.toThrow('does not verify')
        },
      ),
    )
    texts.set(name, text)
    expect(await store.get('a')).toEqual(no)
  })

  it('does not accept an entry that was moved to another key', async () => {
    const { store, texts } = mapStore()
    await store.set('sold', yes, hour)
    await store.set('never-sold-0', no, hour)
    const [[, sold], [neverSold]] = [...texts] as [[string, string], [string, string]]
    texts.set(neverSold, sold)
    await expect(store.get('never-sold-0')).rejects.toThrow('does not verify')
  })

  it('finds nothing with another pepper, and accepts no entry of one', async () => {
    const { store, raw, texts } = mapStore()
    const other = sealStore(raw, { pepper: otherPepper })
    await other.set('a', yes, hour)
    expect(await store.get('a')).toBeUndefined()
    const [, text] = only(texts)
    texts.clear()
    await store.set('a', no, hour)
    texts.set(only(texts)[0], text)
    await expect(store.get('a')).rejects.toThrow('does not verify')
  })

  it('keeps the later of two writes that were started at once', async () => {
    for (let round = 0; round < 50; round += 1) {
      const { store } = mapStore()
      const key = `key ${round}`
      await Promise.all([
        store.set(
          key,
          {
            ...yes,
            purchase: { ...purchaseBase, item: { ...purchaseBase.item, name: 'x'.repeat(100_000) } },
          },
          hour,
        ),
        store.set(key, no, hour),
      ])
      expect(await store.get(key)).toEqual(no)
    }
  })

  it('rejects when the raw store does', async () => {
    const fail = () => {
      throw new Error('the store is down')
    }
    const store = sealStore({ get: fail, set: fail, delete: fail }, { pepper })
    await expect(store.get('a')).rejects.toThrow('down')
    await expect(store.set('a', yes, hour)).rejects.toThrow('down')
    await expect(store.delete('a')).rejects.toThrow('down')
  })

  it.each([null, '', 'too short', ' '.repeat(40), 7, 'YOUR_PEPPER: 32 random characters or more'])(
    'refuses the pepper %j',
    (wrong) => {
      const { raw } = mapStore()
      expect(() => sealStore(raw, { pepper: wrong as string })).toThrow(
        expect.objectContaining({ kind: 'configuration', message: expect.stringMatching(/^.{1,300}$/) }),
      )
    },
  )

  it('refuses an entry of 50 MB at once', async () => {
    const { store, texts } = mapStore()
    await store.set('a', no, hour)
    texts.set(only(texts)[0], 'A'.repeat(50_000_000))
    const start = performance.now()
    await expect(store.get('a')).rejects.toThrow('too large')
    expect(performance.now() - start).toBeLessThan(5_000)
  })

  it('passes on how long to keep an entry, and its outcome', async () => {
    const sets: unknown[] = []
    const { raw } = mapStore()
    const store = sealStore({ ...raw, set: (_key, _value, ...more) => sets.push(more) }, { pepper })
    await store.set('a', yes, 1_000.5)
    await store.set('b', no, 2_000)
    expect(sets).toEqual([
      [1_001, 'valid'],
      [2_000, 'invalid'],
    ])
  })
})

/** As in a table of a database: `UPDATE … WHERE` and `ON CONFLICT DO NOTHING` compare and set in one operation. */
function sqlStore(database: DatabaseSync) {
  database.exec('CREATE TABLE IF NOT EXISTS results (name TEXT PRIMARY KEY, text TEXT, expires_at INTEGER)')
  const run = (sql: string, ...values: (string | number)[]) => database.prepare(sql).run(...values).changes
  return sealStore(
    {
      get: (name) => {
        const sql = 'SELECT text FROM results WHERE name = ? AND expires_at > ?'
        return database.prepare(sql).get(name, Date.now())?.text?.toString()
      },
      set: (name, text, keepMs) =>
        run('REPLACE INTO results VALUES (?, ?, ?)', name, text, Date.now() + keepMs),
      replace(name, previous, text, keepMs) {
        const until = Date.now() + keepMs
        if (previous !== undefined) {
          const sql = 'UPDATE results SET text = ?, expires_at = ? WHERE name = ? AND text = ?'
          return run(sql, text, until, name, previous) === 1
        }
        run('DELETE FROM results WHERE name = ? AND expires_at <= ?', name, Date.now())
        return run('INSERT INTO results VALUES (?, ?, ?) ON CONFLICT DO NOTHING', name, text, until) === 1
      },
      delete: (name) => run('DELETE FROM results WHERE name = ?', name),
    },
    { pepper },
  )
}

const sharedStores: Record<string, () => Promise<() => GateStore>> = {
  async files() {
    const directory = await temporaryDirectory()
    return () => createFileStore({ directory, pepper })
  },
  async SQL() {
    const path = join(await temporaryDirectory(), 'results.db')
    return () => {
      const database = new DatabaseSync(path)
      onTestFinished(() => database.close())
      return sqlStore(database)
    }
  },
}

describe.each(Object.entries(sharedStores))('a store in %s that processes share', (_, create) => {
  it('replaces the entry that was read last, and no other', async () => {
    const open = await create()
    const [one, other] = [open(), open()]
    expect(await one.get('a')).toBeUndefined()
    await other.set('a', no, hour)
    expect(await one.replace?.('a', undefined, yes, hour)).toBe(false)
    const read = await one.get('a')
    expect(read).toEqual(no)
    expect(await one.replace?.('a', read, yes, hour)).toBe(true)
    expect(await one.replace?.('a', read, no, hour)).toBe(false)
    expect(await other.get('a')).toEqual(yes)
    await other.delete('a')
    expect(await one.replace?.('a', await one.get('a'), no, 1)).toBe(true)
  })

  it('lets one of many add what is absent', async () => {
    const open = await create()
    const added = await Promise.all(
      Array.from({ length: 10 }, async () => open().replace?.('a', undefined, yes, hour)),
    )
    expect(added.filter(Boolean)).toHaveLength(1)
  })
})

it('a sealed store replaces an entry that does not verify, and has no `replace` where the raw one has none', async () => {
  const { raw, texts, store } = mapStore()
  expect(store.replace).toBeUndefined()
  const replace: RawStore['replace'] = (key, previous, text) =>
    texts.get(key) === previous && !!texts.set(key, text)
  const replacing = sealStore({ ...raw, replace }, { pepper })
  await store.set('a', no, hour)
  texts.set(only(texts)[0], 'written by hand')
  await expect(replacing.get('a')).rejects.toThrow('does not verify')
  expect(await replacing.replace?.('a', undefined, yes, hour)).toBe(true)
  expect(await store.get('a')).toEqual(yes)
})

describe('a store in files', () => {
  const open = (directory: string, options: Partial<FileStoreOptions> = {}) =>
    createFileStore({ directory, pepper, ...options })

  /** The names of the entries, without those that are being written. */
  const entriesIn = async (directory: string) =>
    (await readdir(directory)).filter((name) => !name.includes('.'))

  it('survives a restart', async () => {
    const directory = join(await temporaryDirectory(), 'made', 'by the store')
    await open(directory).set('a', yes, hour)
    expect(await open(directory).get('a')).toEqual(yes)
    await open(directory).delete('a')
    expect(await open(directory).get('a')).toBeUndefined()
  })

  it('names files by hashes and makes them readable for their owner alone', async () => {
    const directory = join(await temporaryDirectory(), 'codes')
    await open(directory).set('a', yes, hour)
    const [name = ''] = await readdir(directory)
    expect(name).toMatch(/^[0-9a-f]{64}$/)
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
    expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600)
  })

  it('does not accept a file that was written by hand, altered or moved', async () => {
    const directory = await temporaryDirectory()
    const store = open(directory)
    await store.set('sold', yes, hour)
    const [sold = ''] = await readdir(directory)
    await store.set('never-sold-0', no, hour)
    const other = (await readdir(directory)).find((name) => name !== sold) ?? ''
    const text = await readFile(join(directory, sold), 'utf8')
    for (const wrong of ['{"outcome":"valid"}', text, text.replace(/[a-z]/, 'A')]) {
      await writeFile(join(directory, other), `9999999999999 valid\n${wrong.slice(wrong.indexOf('\n') + 1)}`)
      await expect(store.get('never-sold-0')).rejects.toThrow('does not verify')
    }
    await writeFile(join(directory, other), '')
    expect(await store.get('never-sold-0')).toBeUndefined()
  })

  it('removes expired files, and what a killed process left', async () => {
    const directory = await temporaryDirectory()
    let time = Date.now()
    const store = open(directory, { now: () => time })
    for (let index = 0; index < 20; index += 1) await store.set(`old ${index}`, yes, hour)
    const left = [`${'a'.repeat(64)}.${crypto.randomUUID()}`, `${'a'.repeat(64)}.lock`]
    for (const name of left) {
      await mkdir(join(directory, name))
      await writeFile(join(directory, name, 'a text'), 'half an ent')
      await utimes(join(directory, name), time / 1_000, time / 1_000 - 601)
    }
    await writeFile(join(directory, 'not-of-the-store'), '')
    time += hour
    expect(await store.get('old 0')).toBeUndefined()
    await store.set('new', yes, hour)
    await expect.poll(() => readdir(directory)).toHaveLength(2)
    expect(await store.get('new')).toEqual(yes)
    expect(await readdir(directory)).toContain('not-of-the-store')
  })

  it('is bounded, and removes invalid entries first', async () => {
    const directory = await temporaryDirectory()
    const store = open(directory, { maxEntries: 20 })
    for (let index = 0; index < 10; index += 1) await store.set(`sold ${index}`, yes, hour)
    await store.set('the clock', { outcome: 'clock', at: 1 }, hour)
    for (let index = 0; index < 200; index += 1) await store.set(`guess ${index}`, no, 2 * hour)
    await expect.poll(async () => (await entriesIn(directory)).length).toBeLessThanOrEqual(22)
    for (let index = 0; index < 10; index += 1) expect(await store.get(`sold ${index}`)).toEqual(yes)
    expect(await store.get('the clock')).toEqual({ outcome: 'clock', at: 1 })
    for (let index = 10; index < 60; index += 1) await store.set(`sold ${index}`, yes, hour + index)
    await expect.poll(async () => (await entriesIn(directory)).length).toBeLessThanOrEqual(22)
    expect(await store.get('sold 59')).toEqual(yes)
  })

  it('never gives a torn entry while processes write it at once', async () => {
    const directory = await temporaryDirectory()
    const program = join(import.meta.dirname, 'programs/write-entries.ts')
    const flags = ['--conditions=@saleproof/source', '--disable-warning=ExperimentalWarning', program]
    let running = 2
    const writers = ['A', 'B'].map((writer) =>
      run(process.execPath, [...flags, directory, pepper, writer, '300']).finally(() => {
        running -= 1
      }),
    )
    const store = open(directory)
    const seen = new Set<string | undefined>()
    while (running) {
      const reason: string = (await store.get('one key'))?.reason ?? ''
      expect(reason).toMatch(/^(A*|B*)$/)
      seen.add(reason[0])
    }
    await Promise.all(writers)
    expect(seen).toContain('A')
    expect(seen).toContain('B')
    await expect.poll(() => readdir(directory)).toHaveLength(1)
  })

  it('keeps the last of many writes of a key, whichever takes longest', async () => {
    const directory = await temporaryDirectory()
    const files = createFiles({ directory, maxEntries: 10, now: Date.now })
    const key = 'a'.repeat(64)
    for (let round = 0; round < 10; round += 1) {
      const sizes = [2_000_000, 1_000, 500_000, 10]
      await Promise.all(sizes.map((size) => files.set(key, `${size}`.padEnd(size), hour, 'valid')))
      expect((await files.get(key))?.trim()).toBe('10')
    }
  })

  it('writes in spite of the lock of a process that was killed', async () => {
    const directory = await temporaryDirectory()
    const store = open(directory)
    await store.set('a', yes, hour)
    const [name = ''] = await readdir(directory)
    const lock = join(directory, `${name}.lock`)
    const leaveLock = async () => {
      await mkdir(lock)
      await writeFile(join(lock, crypto.randomUUID()), 'half an ent')
    }
    await leaveLock()
    await store.set('a', no, hour)
    expect(await store.get('a')).toEqual(no)
    // Before the clock was set back.
    await leaveLock()
    await utimes(lock, Date.now() / 1_000, Date.now() / 1_000 + 3_600)
    await store.set('a', yes, hour)
    expect(await store.get('a')).toEqual(yes)
    await expect.poll(() => readdir(directory)).toEqual([name])
  })

  it('fails where it gets no lock for two seconds, and goes on afterwards', async () => {
    // By a clock that stands still no lock is old.
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const directory = await temporaryDirectory()
    const files = createFiles({ directory, maxEntries: 10, now: Date.now })
    const key = 'a'.repeat(64)
    const lock = join(directory, `${key}.lock`)
    await mkdir(lock)
    await writeFile(join(lock, 'a text'), '')
    await utimes(lock, new Date(), new Date())
    const [late, next] = [files.set(key, 'yes', hour, 'valid'), files.get(key)]
    await expect(late).rejects.toMatchObject({ code: 'ENOTEMPTY' })
    expect(await next).toBeUndefined()
    expect(await readdir(directory)).toEqual([`${key}.lock`])
  })

  it('overwrites nothing newer where it stalled while it held a lock that others took', async () => {
    const directory = await temporaryDirectory()
    const open = () => createFiles({ directory, maxEntries: 10, now: Date.now })
    const key = 'a'.repeat(64)
    // What it reads last before the change is a pipe, which has nothing to read yet.
    const pipe = join(await temporaryDirectory(), 'pipe')
    await run('mkfifo', [pipe])
    await link(pipe, join(directory, key))
    const late = open().replace?.(key, 'yes', 'stale yes', hour, 'valid')
    await expect.poll(() => readdir(directory)).toContain(`${key}.lock`)
    await pause(300)
    await Promise.all(['no', 'no', 'no'].map((no) => open().set(key, no, hour, 'invalid')))
    await writeFile(pipe, `${Date.now() + hour} valid\nyes`)
    expect(await late).toBe(false)
    expect(await open().get(key)).toBe('no')
    expect(await readdir(directory)).toEqual([key])
  })

  it('makes its directory again when it was deleted', async () => {
    const directory = join(await temporaryDirectory(), 'codes')
    const store = open(directory)
    await store.set('a', yes, hour)
    await rm(directory, { recursive: true })
    expect(await store.get('a')).toBeUndefined()
    await store.set('a', no, hour)
    expect(await store.get('a')).toEqual(no)
  })

  it('loses a valid result rather than an invalid result on a full disk, and leaves no half files', async () => {
    const directory = await temporaryDirectory()
    await open(directory).set('sold', yes, hour)
    const program = join(import.meta.dirname, 'programs/full-disk.ts')
    const node = [process.execPath, '--conditions=@saleproof/source', program, directory, pepper]
    const { stdout } = await run('sh', ['-c', 'ulimit -f 0; exec "$@"', 'sh', ...node])
    expect(JSON.parse(stdout)).toEqual({ before: 'valid', failed: 'EFBIG', files: [] })
  })

  it('rejects where it cannot make its directory', async () => {
    const file = join(await temporaryDirectory(), 'a file')
    await writeFile(file, '')
    const store = open(join(file, 'codes'))
    await expect(store.set('a', yes, hour)).rejects.toMatchObject({ code: 'ENOTDIR' })
    await expect(store.get('a')).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  it.each([
    { directory: '' },
    { directory: undefined },
    { maxEntries: 0 },
    { maxEntries: 1.5 },
    { pepper: '' },
  ])('refuses the option %j', (option) => {
    const options = { directory: 'x', pepper, ...option } as FileStoreOptions
    expect(() => createFileStore(options)).toThrow(expect.objectContaining({ kind: 'configuration' }))
  })
})

describe('a store in Redis', () => {
  it('sends GET, SET with PX, DEL and EVAL, under its prefix', async () => {
    const sent: string[][] = []
    const command: RedisCommand = async (args) => {
      sent.push(args)
      return null
    }
    const store = createRedisStore(command, { pepper, prefix: 'shop:' })
    expect(await store.get('a')).toBeUndefined()
    await store.set('a', yes, hour)
    await store.delete('a')
    await store.replace?.('a', undefined, yes, hour)
    const key = expect.stringMatching(/^shop:[0-9a-f]{64}$/)
    expect(sent).toEqual([
      ['GET', key],
      ['SET', key, expect.stringMatching(/^[A-Za-z0-9+/]+=*$/), 'PX', '3600000'],
      ['DEL', key],
      ['EVAL', expect.any(String), '1', key, '', expect.any(String), '3600000'],
    ])
  })

  it('reads a reply of bytes', async () => {
    let text = ''
    const command: RedisCommand = async ([name, , value = '']) => {
      if (name === 'SET') text = value
      return Buffer.from(text)
    }
    const store = createRedisStore(command, { pepper })
    await store.set('a', yes, hour)
    expect(await store.get('a')).toEqual(yes)
  })

  it('refuses a command that is no function', () => {
    expect(() => createRedisStore({} as RedisCommand, { pepper })).toThrow(
      expect.objectContaining({ kind: 'configuration' }),
    )
  })
})

/** As `localStorage` of a page, whose keys are its properties, and as `AsyncStorage` of React Native. */
const webStorages: Record<string, () => WebStorage & { keys: () => string[] }> = {
  localStorage() {
    const methods = {
      getItem: (key: string): string | null => Reflect.get(storage, key) ?? null,
      setItem: (key: string, text: string) => void Reflect.set(storage, key, text),
      removeItem: (key: string) => void Reflect.deleteProperty(storage, key),
      keys: () => Object.keys(storage),
    }
    const storage: typeof methods = Object.create(methods)
    return storage
  },
  AsyncStorage() {
    const texts = new Map<string, string>()
    return {
      getItem: async (key) => texts.get(key) ?? null,
      setItem: async (key, text) => void texts.set(key, text),
      removeItem: async (key) => void texts.delete(key),
      getAllKeys: async () => [...texts.keys()],
      keys: () => [...texts.keys()],
    }
  },
}

describe.each(Object.entries(webStorages))('a store in %s', (_, createStorage) => {
  it('returns what was set last, over a restart, and forgets what was deleted', async () => {
    const storage = createStorage()
    const open = () => createWebStorageStore(storage, { pepper })
    await open().set('a', no, hour)
    await open().set('a', yes, hour)
    await open().set('b', no, hour)
    expect([await open().get('a'), await open().get('b')]).toEqual([yes, no])
    for (const key of storage.keys()) expect(key).toMatch(/^saleproof:[0-9a-f]{64}$/)
    await open().delete('a')
    expect(await open().get('a')).toBeUndefined()
    expect(storage.keys()).toHaveLength(1)
  })

  it('is bounded: expired entries go first, then invalid ones, and none that is not its own', async () => {
    const storage = createStorage()
    await storage.setItem('saleproof:theme', 'dark')
    const store = createWebStorageStore(storage, { pepper })
    for (let index = 0; index < 96; index += 1) await store.set(`older ${index}`, yes, 9 * hour)
    await store.set('expired', yes, -1)
    await store.set('the clock', { outcome: 'clock', at: 1 }, 2 * hour)
    await store.set('sold 1', yes, hour)
    await store.set('sold 2', yes, hour + 1)
    for (let index = 0; index < 5; index += 1) await store.set(`guess ${index}`, no, 3 * hour)
    expect(storage.keys()).toHaveLength(101)
    expect([await store.get('expired'), await store.get('guess 3')]).toEqual([undefined, undefined])
    expect([await store.get('sold 1'), await store.get('sold 2')]).toEqual([yes, yes])
    await store.set('sold 3', yes, hour + 2)
    await store.set('sold 3', yes, hour + 2)
    await store.set('sold 4', yes, hour + 3)
    expect([await store.get('guess 4'), await store.get('sold 1')]).toEqual([undefined, undefined])
    expect(await store.get('the clock')).toEqual({ outcome: 'clock', at: 1 })
    expect(await storage.getItem('saleproof:theme')).toBe('dark')
  })

  it('takes an entry that is no entry for none, and accepts none that was altered', async () => {
    const storage = createStorage()
    const store = createWebStorageStore(storage, { pepper })
    await store.set('a', no, hour)
    const [key = ''] = storage.keys()
    await storage.setItem(key, 'dark')
    expect(await store.get('a')).toBeUndefined()
    await storage.setItem(key, `9999999999999 valid ${btoa(JSON.stringify(yes))}`)
    await expect(store.get('a')).rejects.toThrow('does not verify')
  })
})

describe('a store in Workers KV', () => {
  /** Refuses a second write of a key within a second, as KV does. */
  function kvNamespace() {
    const texts = new Map<string, string>()
    const writtenAt = new Map<string, number>()
    const writes: unknown[][] = []
    const record = (...write: [name: string, key: string, ttl?: number]) => {
      const [, key] = write
      writes.push(write)
      if (performance.now() - (writtenAt.get(key) ?? Number.NEGATIVE_INFINITY) < 1_000)
        throw new Error('KV PUT failed: 429 Too Many Requests')
      writtenAt.set(key, performance.now())
    }
    const namespace: KvNamespace = {
      get: async (key) => texts.get(key) ?? null,
      async put(key, text, { expirationTtl }) {
        record('put', key, expirationTtl)
        texts.set(key, text)
      },
      async delete(key) {
        record('delete', key)
        texts.delete(key)
      },
    }
    return { namespace, writes, texts }
  }

  it('writes a key at most once a second, and what was said last', async () => {
    const { namespace, writes, texts } = kvNamespace()
    const store = createWorkersKvStore(namespace, { pepper })
    // Requests to a Worker share none: each stores its own result.
    for (let count = 0; count < 3; count += 1) await store.set('a', yes, hour)
    const key = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(writes).toEqual([['put', key, 3_660]])
    expect(await createWorkersKvStore(namespace, { pepper }).get('a')).toEqual(yes)
    await store.set('b', yes, hour)
    await store.set('a', no, 60_000)
    expect(await store.get('a')).toEqual(no)
    await store.delete('a')
    await store.delete('a')
    expect(writes.slice(2)).toEqual([
      ['put', key, 120],
      ['delete', key],
    ])
    expect(texts.size).toBe(1)
  })

  it('writes again what KV refused', async () => {
    const { namespace, writes, texts } = kvNamespace()
    const { put } = namespace
    namespace.put = async () => {
      throw new Error('KV is down')
    }
    const store = createWorkersKvStore(namespace, { pepper })
    await expect(store.set('a', yes, hour)).rejects.toThrow('down')
    namespace.put = put
    await store.set('a', yes, hour)
    expect([writes.length, texts.size]).toEqual([1, 1])
  })

  it('refuses what is no namespace, and a wrong option', () => {
    const { namespace } = kvNamespace()
    const configuration = expect.objectContaining({ kind: 'configuration' })
    expect(() => createWorkersKvStore(Object(undefined), { pepper })).toThrow(configuration)
    expect(() => createWebStorageStore(Object(undefined), { pepper })).toThrow(configuration)
    expect(() => createDurableObjectsStore(Object(undefined), { pepper })).toThrow(configuration)
    expect(() => createWorkersKvStore(namespace, { pepper, ttl: 1 } as never)).toThrow(configuration)
  })
})
