import { expect, test } from 'vitest'
import { cpuSeconds, parseCpuSeconds, parseMemory, residentMemory } from './process-stats.ts'

test('processor time is user and system time, whatever the name of the process', () => {
  const rest = Array.from({ length: 40 }, (_, index) => String(index + 3)).join(' ')
  expect(parseCpuSeconds(`123 (a (strange) name) R ${rest.split(' ').slice(1).join(' ')}`)).toBe(
    (14 + 15) / 100,
  )
})

test('memory is read in megabytes', () => {
  const status = 'Name:\tnode\nVmHWM:\t  204800 kB\nVmRSS:\t  102400 kB\n'
  expect(parseMemory(status, 'VmRSS')).toBe(100)
  expect(parseMemory(status, 'VmHWM')).toBe(200)
})

test('a living process has both', () => {
  expect(residentMemory(process.pid)).toBeGreaterThan(10)
  expect(cpuSeconds(process.pid)).toBeGreaterThan(0)
})
