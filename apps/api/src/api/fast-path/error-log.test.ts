import { pino } from 'pino'
import { expect, test } from 'vitest'
import { DatabaseUnavailable } from '../../db/unavailable.ts'
import { createErrorLog } from './error-log.ts'

test('each reason is told once in a while by its code; what somebody else has told is not told again', () => {
  const lines: string[] = []
  const tell = createErrorLog(pino({ base: null }, { write: (line) => void lines.push(line) }))
  const trouble = (code: string) => Object.assign(new Error('canary'), { code })
  for (let count = 0; count < 5; count++) for (const code of ['57P01', '42P01']) tell(trouble(code))
  tell(new DatabaseUnavailable())
  expect(lines.map((line) => JSON.parse(line).cause.code)).toEqual(['57P01', '42P01'])
  expect(lines.join()).not.toContain('canary')
})
