import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/harness.ts'
import { createLogStream } from './log-stream.ts'

/** Like a full disk: writes fail with ENOSPC. */
const openFull = () => openSync('/dev/full', 'a')

test('lines that found the disk full are written once, in order, when there is space', async () => {
  const { folder, remove } = await temporaryFolder()
  const fd = openFull()
  const stream = createLogStream({ fd, maxQueued: 12 })
  const write = (line: string) => {
    stream.write(line)
    stream.flush()
  }
  for (const line of ['one\n', 'two\n', 'six\n', 'too many\n']) {
    write(line)
    await sleep(30)
  }
  closeSync(fd)
  // The system reuses the lowest free number.
  expect(openSync(`${folder}/log`, 'a')).toBe(fd)
  const written = () => readFileSync(`${folder}/log`, 'utf8')
  await expect.poll(written).toBe('one\ntwo\nsix\n')
  write('ten\n')
  await expect.poll(written).toBe('one\ntwo\nsix\nten\n')
  write('last\n')
  stream.flushSync()
  await sleep(50)
  expect(written()).toBe('one\ntwo\nsix\nten\nlast\n')
  closeSync(fd)
  await remove()
})

test('lines are written together, after a while or when many wait', { retry: 3 }, async () => {
  const { folder, remove } = await temporaryFolder()
  const fd = openSync(`${folder}/log`, 'a')
  const stream = createLogStream({ fd, maxQueued: 1 << 20 })
  const written = () => readFileSync(`${folder}/log`, 'utf8')
  stream.write('one\n')
  stream.write('two\n')
  await sleep(20)
  expect(written()).toBe('')
  await expect.poll(written).toBe('one\ntwo\n')
  const long = `${'x'.repeat(40_000)}\n`
  stream.write(long)
  await new Promise<void>(queueMicrotask)
  stream.write('during the write\n')
  await expect.poll(written, { timeout: 150, interval: 5 }).toBe(`one\ntwo\n${long}`)
  await sleep(20)
  expect(written()).not.toContain('during')
  await expect.poll(written).toBe(`one\ntwo\n${long}during the write\n`)
  closeSync(fd)
  await remove()
})

test('the last flush gives up where the disk is full', () => {
  const fd = openFull()
  const stream = createLogStream({ fd, maxQueued: 100 })
  stream.write('last\n')
  expect(() => stream.flushSync()).not.toThrow()
  stream.close()
  closeSync(fd)
})
