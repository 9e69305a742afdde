import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RotationStep } from '../../src/maintenance/secret/rotate-secret.ts'
import { deployment, first, names, second } from '../support/secret-deployment.ts'

/** Runs a rotation in a process of its own, which is killed. */
async function killAfter(databaseFile: string, step: RotationStep, ...secrets: string[]) {
  const program = join(import.meta.dirname, 'killed-rotation.ts')
  const args = ['--conditions=@saleproof/source', program, databaseFile, step, ...secrets]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  expect((await once(child, 'close'))[1]).toBe('SIGKILL')
}

describe.each<[RotationStep, 'old' | 'new']>([
  ['written', 'old'],
  ['reencrypted', 'old'],
  ['committed', 'new'],
  ['placed', 'new'],
])('killed after it was %s', (step, expected) => {
  test('database and file fit each other, and it can be done again', async () => {
    const { folder, databaseFile, works, rotate, secretOf } = await deployment()
    const before = secretOf()
    await killAfter(databaseFile, step)
    await works()
    expect(secretOf() === before ? 'old' : 'new').toBe(expected)
    const current = secretOf()
    await works()
    expect(secretOf()).toBe(current)
    await rotate()
    await works()
    expect(secretOf()).not.toBe(current)
    const kept = names(folder).map((name) => secretOf(join(folder, name)))
    expect(kept).toEqual(expect.arrayContaining([before, current]))
    expect(names(folder).filter((name) => name.includes('.next'))).toEqual([])
  })

  test('with a secret of the operator exactly one of the two fits', async () => {
    const { databaseFile, works, open, rotate } = await deployment({ secret: first })
    await killAfter(databaseFile, step, first, second)
    const [good, bad] = expected === 'old' ? [first, second] : [second, first]
    await works(good)
    await expect(open(bad)).rejects.toThrow('SALEPROOF_SECRET is not the one')
    expect((await rotate({ given: first, next: second })).already).toBe(expected === 'new')
    await works(second)
  })
})

test('processes that start at once after a rotation that was killed agree', async () => {
  const { folder, databaseFile, works, open } = await deployment()
  await killAfter(databaseFile, 'committed')
  const opened = await Promise.all(Array.from({ length: 4 }, () => open(undefined)))
  for (const database of opened) await database.close()
  await works()
  expect(names(folder)).toHaveLength(2)
})
