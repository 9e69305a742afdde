import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readInputs, type Target } from '@saleproof/fuzz'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageRoot } from '../support/folders.ts'
import { createHttpTarget } from './http-target.ts'
import { createImportTarget } from './import-target.ts'

const saved = join(packageRoot, '../../tooling/fuzz')
const targets = { http: createHttpTarget, import: createImportTarget }

describe.each(Object.keys(targets) as (keyof typeof targets)[])('what was fuzzed: %s', (name) => {
  let target: Target
  beforeAll(async () => {
    target = await targets[name](1)
  }, 60_000)
  afterAll(() => target.close())

  const regressions = globSync(join(saved, 'regressions', name, '*.txt'))
  test.each(regressions.map((file) => [basename(file, '.txt'), file]))('%s', async (_, file) => {
    for (const input of readInputs(file)) await target.run(input)
  })

  test('every input of the corpus does what it should', async () => {
    const inputs = readInputs(join(saved, `corpus/${name}.txt`))
    expect(inputs.length).toBeGreaterThan(20)
    for (const input of inputs) await target.run(input)
  }, 120_000)
})
