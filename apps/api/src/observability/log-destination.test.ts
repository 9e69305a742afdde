import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/harness.ts'
import { createLogDestination } from './log-destination.ts'

/** Stands for a disk without room: what is written there fails with ENOSPC. */
const openFull = () => openSync('/dev/full', 'a')

test('what finds no room is written, in its order and once, when there is some', async () => {
  const { folder, remove } = await temporaryFolder()
  const fd = openFull()
  const destination = createLogDestination({ fd, mostWaiting: 12 })
  for (const line of ['one\n', 'two\n', 'six\n', 'too many\n']) {
    destination.write(Buffer.from(line))
    await sleep(30)
  }
  closeSync(fd)
  // The system gives the lowest number that is free.
  expect(openSync(`${folder}/log`, 'a')).toBe(fd)
  const written = () => readFileSync(`${folder}/log`, 'utf8')
  await expect.poll(written).toBe('one\ntwo\nsix\n')
  destination.write(Buffer.from('ten\n'))
  await expect.poll(written).toBe('one\ntwo\nsix\nten\n')
  destination.write(Buffer.from('last\n'))
  destination.flushSync()
  await sleep(50)
  expect(written()).toBe('one\ntwo\nsix\nten\nlast\n')
  closeSync(fd)
  await remove()
})

test('the last words of a process are given up where there is no room for them', () => {
  const fd = openFull()
  const destination = createLogDestination({ fd, mostWaiting: 100 })
  destination.write(Buffer.from('last\n'))
  expect(() => destination.flushSync()).not.toThrow()
  destination.close()
  closeSync(fd)
})
