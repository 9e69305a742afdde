import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pnpm } from '@saleproof/process'
import { type Published, published } from './repository.ts'

export interface Component {
  name: string
  version: string
  group?: string
  purl: string
  'bom-ref': string
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[]
  properties?: { name: string; value: string }[]
}

/** A software bill of materials in CycloneDX. */
export interface Bom {
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

/** Permissive licenses; the last is that of a typeface. */
const allowedLicenses = new Set(
  'MIT ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 BlueOak-1.0.0 Unlicense CC0-1.0 OFL-1.1'.split(' '),
)

/** Packages whose files are copied into the build, with the file that shows it. */
const copied = {
  '@fontsource-variable/figtree': 'dist/console/figtree.license.txt',
}

/** Lists of bundled packages, written by the bundlers. */
const licenseLists = ['dist/third-party-licenses.txt', 'dist/console/third-party-licenses.txt']

/** Dependencies of the repository itself that pnpm lists with every package. */
const isOfRepository = (ref: string) => /\/node-linux-(?:x64|arm64)@/.test(ref)

const readBom = (name: string, root: string, ...flags: string[]): Bom => {
  const format = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--sbom-type', 'application']
  return JSON.parse(pnpm(['--filter', name, 'sbom', ...format, ...flags], { cwd: root }))
}

const fullName = ({ group, name }: Component) => (group ? `${group}/${name}` : name)

function bundledIn(folder: string): { name: string; version?: string }[] {
  const listed = licenseLists.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    return [...text.matchAll(/^Name: (\S+)\nVersion: (\S+)$/gm)]
  })
  return [
    ...listed.map(([, name = '', version = '']) => ({ name, version })),
    ...Object.entries(copied).flatMap(([name, file]) => (existsSync(join(folder, file)) ? [{ name }] : [])),
  ]
}

function addBundled(bom: Bom, root: string) {
  const locked = ['@saleproof/api', '@saleproof/console'].flatMap((name) => readBom(name, root).components)
  const own = bom.dependencies.find(({ ref }) => ref === bom.metadata.component['bom-ref'])
  for (const { name, version } of bundledIn(join(root, published['@saleproof/api']))) {
    const found = locked.find((one) => fullName(one) === name && (version ?? one.version) === one.version)
    if (!found) throw new Error(`${name} ${version ?? ''} is in the build and not in the lockfile`)
    if (bom.components.some(({ purl }) => purl === found.purl)) continue
    bom.components.push({ ...found, properties: [{ name: 'saleproof:bundled', value: 'true' }] })
    own?.dependsOn?.push(found['bom-ref'])
    bom.dependencies.push({ ref: found['bom-ref'], dependsOn: [] })
  }
}

/** The dependencies of a published package by the lockfile, and what its build bundles. */
export function createSbom(name: Published, { root }: { root: string }): Bom {
  const bom = readBom(name, root, '--prod')
  bom.components = bom.components.filter((component) => !isOfRepository(component.purl))
  bom.dependencies = bom.dependencies
    .filter(({ ref }) => !isOfRepository(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => !isOfRepository(one)) }))
  if (name === '@saleproof/api') addBundled(bom, root)
  return bom
}

/** `(A OR B)` allows either, `A AND B` needs both. */
const isAllowed = (license: string) =>
  license
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => allowedLicenses.has(one.trim())))

/** Dependencies without a license, or with one that is not allowed. */
export const licenseProblems = ({ components }: Bom): string[] =>
  components
    .filter(({ group }) => group !== '@saleproof')
    .flatMap((component) => {
      const name = `${fullName(component)} ${component.version}`
      const licenses = (component.licenses ?? []).map(
        ({ license, expression }) => expression ?? license?.id ?? license?.name ?? 'unknown',
      )
      if (licenses.length === 0) return [`${name} has no license`]
      return licenses.filter((one) => !isAllowed(one)).map((license) => `${name} is under ${license}`)
    })

/** The file beside a tarball that holds its bill of materials. */
export const sbomBeside = (tarball: string) => tarball.replace(/\.tgz$/, '.cdx.json')

export const writeSbom = (name: Published, { root, tarball }: { root: string; tarball: string }) =>
  writeFileSync(sbomBeside(tarball), `${JSON.stringify(createSbom(name, { root }), null, 2)}\n`)
