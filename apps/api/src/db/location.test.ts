import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../test/support/folders.ts'
import { databaseFile } from './location.ts'

describe('databaseFile', () => {
  test.each([
    ['file:./data/saleproof.db', '/srv/data/saleproof.db'],
    ['file:saleproof.db', '/srv/saleproof.db'],
    ['file:../saleproof.db', '/saleproof.db'],
    ['file:/var/lib/saleproof.db', '/var/lib/saleproof.db'],
    ['file:///var/lib/saleproof.db', '/var/lib/saleproof.db'],
    ['file:./with%20space.db', '/srv/with space.db'],
    ['file:./saleproof.db?connection_limit=1', '/srv/saleproof.db'],
    ['file:./100%.db', '/srv/100%.db'],
    ['file:./a%23b.db', '/srv/a#b.db'],
  ])('%s', (url, path) => {
    expect(databaseFile(url, '/srv')).toBe(path)
  })

  test('of a link it is what the link leads to, wherever that is', async () => {
    const { folder, remove } = await temporaryFolder()
    onTestFinished(remove)
    mkdirSync(`${folder}/volume`)
    writeFileSync(`${folder}/volume/real.db`, '')
    symlinkSync('volume/real.db', `${folder}/link.db`)
    expect(databaseFile('file:link.db', folder)).toBe(`${folder}/volume/real.db`)
  })

  test('of a link to a file that is yet to be made it is that file', async () => {
    const { folder, remove } = await temporaryFolder()
    onTestFinished(remove)
    mkdirSync(`${folder}/volume/inner`, { recursive: true })
    symlinkSync('volume/inner', `${folder}/folder`)
    symlinkSync('../new.db', `${folder}/volume/inner/second.db`)
    symlinkSync('folder/second.db', `${folder}/first.db`)
    expect(databaseFile('file:first.db', folder)).toBe(`${folder}/volume/new.db`)
  })

  test('of links in a circle it is the path itself', async () => {
    const { folder, remove } = await temporaryFolder()
    onTestFinished(remove)
    symlinkSync('b.db', `${folder}/a.db`)
    symlinkSync('a.db', `${folder}/b.db`)
    expect(databaseFile('file:a.db', folder)).toBe(`${folder}/a.db`)
  })
})
