import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migrations, temporaryFolder } from '../../../test/support/folders.ts'
import { openTestPrisma } from '../../../test/support/open-prisma.ts'
import { createSqliteMigrator } from '../../db/sqlite/migrate.ts'
import { UserError } from '../../user-error.ts'
import { loadSecret } from './load-secret.ts'

const clock = () => new Date('2026-11-21T12:00:00.000Z')
const given = 'a secret of the operator, long enough'

async function setup() {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const databaseFile = join(folder, 'test.db')
  await createSqliteMigrator({ databaseFile, migrations, clock }).apply()
  const { prisma } = await openTestPrisma(databaseFile)
  return {
    prisma,
    folder,
    databaseFile,
    secretFile: `${databaseFile}.secret`,
    start: async (secret?: string) => loadSecret({ databaseFile, given: secret, clock }),
  }
}

describe('on a first start', () => {
  test('creates a secret that only its owner can read, and keeps it', async () => {
    const { prisma, folder, secretFile, start } = await setup()
    const secret = await start()
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(readFileSync(secretFile, 'utf8').trim()).toBe(secret)
    expect(statSync(secretFile).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).filter((name) => name.includes('.secret'))).toEqual(['test.db.secret'])
    const deployment = await prisma.deployment.findMany()
    expect(deployment).toMatchObject([{ id: 1, identity: expect.stringMatching(/^[0-9A-Za-z]{16}$/) }])
    expect(await start()).toBe(secret)
    expect(await prisma.deployment.findMany()).toEqual(deployment)
  })

  test('the operator’s secret is taken, and no file is made', async () => {
    const { prisma, secretFile, start } = await setup()
    expect(await start(given)).toBe(given)
    expect(existsSync(secretFile)).toBe(false)
    expect(JSON.stringify(await prisma.deployment.findMany())).not.toContain(given)
  })

  test('processes that start at once agree on one', async () => {
    const { prisma, databaseFile, folder } = await setup()
    const script = `
      import { loadSecret } from ${JSON.stringify(new URL('./load-secret.ts', import.meta.url).href)}
      const databaseFile = process.argv[1]
      const start = Number(process.argv[2])
      while (Date.now() < start);
      process.stdout.write(await loadSecret({ databaseFile, clock: () => new Date() }))`
    const start = String(Date.now() + 1500)
    const secrets = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', script, databaseFile, start], {
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        let text = ''
        child.stdout.on('data', (piece) => {
          text += piece
        })
        expect((await once(child, 'close'))[0]).toBe(0)
        return text
      }),
    )
    expect(new Set(secrets).size).toBe(1)
    expect(secrets[0]).toMatch(/^[\w-]{43}$/)
    expect(await prisma.deployment.count()).toBe(1)
    expect(readdirSync(folder).filter((name) => name.includes('.secret'))).toEqual(['test.db.secret'])
  })
})

describe('on a later start', () => {
  test('never recreates a missing secret', async () => {
    const { secretFile, start } = await setup()
    await start()
    rmSync(secretFile)
    await expect(start()).rejects.toThrow(UserError)
    await expect(start()).rejects.toThrow(/is missing/)
    expect(existsSync(secretFile)).toBe(false)
  })

  test.each([
    ['the file', 'not the one that this database was made with', 'another secret that is long enough'],
    ['the file, cut off', 'shorter than 32 characters', 'half'],
    ['the file, emptied', 'shorter than 32 characters', ''],
  ])('another secret in %s is refused', async (_, message, content) => {
    const { secretFile, start } = await setup()
    await start()
    writeFileSync(secretFile, content)
    await expect(start()).rejects.toThrow(message)
    expect(readFileSync(secretFile, 'utf8')).toBe(content)
  })

  test('refuses another secret in SALEPROOF_SECRET, and prints neither', async () => {
    const { start } = await setup()
    const made = await start()
    const error: Error = await start(given).then(
      () => expect.unreachable(),
      (reason) => reason,
    )
    expect(error).toBeInstanceOf(UserError)
    expect(error.message).toBe(
      'SALEPROOF_SECRET is not the one that this database was made with: start with that one',
    )
    expect(error.stack).not.toContain(made)
    expect(error.stack).not.toContain(given)
  })

  test('the file’s secret is taken from SALEPROOF_SECRET as well, without the file', async () => {
    const { secretFile, start } = await setup()
    const secret = await start()
    rmSync(secretFile)
    expect(await start(secret)).toBe(secret)
  })
})
