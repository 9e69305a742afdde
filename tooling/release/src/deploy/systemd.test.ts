import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { read, root } from '../repository.ts'
import { commandWords, directivesOf } from './units.ts'
import { knownVariables, variablesOf } from './variables.ts'

const folder = 'apps/api/deploy/systemd'

describe.each(['saleproof.service', 'saleproof-backup.service'])('%s', (unit) => {
  const service = directivesOf(unit, 'Service')

  test('starts the command as it is installed', () => {
    const [line = ''] = service.get('ExecStart') ?? []
    const file = /\/opt\/saleproof\/node_modules\/@saleproof\/api\/(\S+\.js)/.exec(line)?.[1] ?? ''
    expect(existsSync(join(root, 'apps/api', file))).toBe(true)
  })

  test('gives up every right that it does not need', () => {
    const yes = [
      'NoNewPrivileges',
      'PrivateDevices',
      'PrivateTmp',
      'PrivateUsers',
      'ProtectHome',
      'RestrictNamespaces',
    ]
    for (const name of yes) expect([name, service.get(name)]).toEqual([name, ['yes']])
    expect(service.get('ProtectSystem')).toEqual(['strict'])
    expect(service.get('CapabilityBoundingSet')).toEqual([''])
    expect(service.get('User')).toEqual(['saleproof'])
    // V8 makes code at run time.
    expect(service.has('MemoryDenyWriteExecute')).toBe(false)
  })
})

test('the service has longer to stop than it takes', () => {
  const service = directivesOf('saleproof.service', 'Service')
  expect(Number(service.get('TimeoutStopSec')?.[0])).toBeGreaterThan(10)
  // Each process of the service is told by the first one.
  expect(service.get('KillMode')).toEqual(['mixed'])
})

test('the service reads every variable of the example, and keeps its data where the unit lets it', () => {
  const text = read(`${folder}/environment`)
  const named = [...text.matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name]) => name)
  expect(named.filter((name) => !knownVariables.includes(name!))).toEqual([])
  expect(variablesOf(text).DATABASE_URL).toMatch(/^file:\/var\/lib\/saleproof\//)
  expect(directivesOf('saleproof.service', 'Service').get('StateDirectory')).toEqual(['saleproof'])
})

test('the timer is of the unit that backs up', () => {
  expect(directivesOf('saleproof-backup.timer', 'Timer').get('OnCalendar')).toHaveLength(1)
  const [line = ''] = directivesOf('saleproof-backup.service', 'Service').get('ExecStart') ?? []
  expect(commandWords(line).at(-1)).toMatch(/saleproof\.js backup "\/var\/backups\/saleproof\/\$\(date \+%Y/)
})

test('the command of the machine is one that a shell understands', () => {
  const file = join(root, folder, 'saleproof')
  expect(() => execFileSync('sh', ['-n', file])).not.toThrow()
})
