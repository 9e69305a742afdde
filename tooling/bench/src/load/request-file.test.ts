import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readRequests, writeRequests } from './request-file.ts'

test('what is written is read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const file = join(folder, 'requests')
  const requests = ['GET /a\r\n\r\n', 'POST /longer\r\n\r\n{"é":1}', 'x']
  writeRequests(file, requests)
  const read = readRequests(file)
  expect(Array.from({ length: read.count }, (_, index) => read.at(index).toString())).toEqual(requests)
  rmSync(folder, { recursive: true })
})
