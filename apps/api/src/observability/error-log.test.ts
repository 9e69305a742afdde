import { pino } from 'pino'
import { expect, test } from 'vitest'
import { DatabaseError } from '../db/errors.ts'
import { createErrorLog } from './error-log.ts'

test('each reason is logged once in a while by its code; reasons that the monitor logs are left out', () => {
  const lines: string[] = []
  const log = createErrorLog(pino({ base: null }, { write: (line) => void lines.push(line) }))
  const failure = (code: string) => new DatabaseError('connection_lost', code, new Error('canary'))
  for (let count = 0; count < 5; count++) for (const code of ['57P01', '42P01']) log(failure(code))
  log(new DatabaseError('file_lost', 'DATABASE_LOST'))
  expect(lines.map((line) => JSON.parse(line).cause.code)).toEqual(['57P01', '42P01'])
  expect(lines.join()).not.toContain('canary')
})
