import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { transformSync } from 'esbuild'

// Finishes what tsdown built: each file a second time as CommonJS, printed without blanks in short lines (a stack trace shows the line
// that threw), and the declarations once.

const dist = join(import.meta.dirname, '../dist')
const esmOnly = 'saleproof-check.js'

const print = (code: string) =>
  transformSync(code, {
    charset: 'utf8',
    minifyWhitespace: true,
    minifyIdentifiers: true,
    lineLimit: 120,
    target: 'node20',
  }).code

const write = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** The parts of `a, b as c`: what a name is there, and here. */
const pairs = (names: string) =>
  names.split(',').map((name) => {
    const [there = '', here = there] = name.trim().split(' as ')
    return [there, here] as const
  })

const imported = (names: string) => pairs(names).map(([there, here]) => `${there}:${here}`)
const exported = (names: string, from = '') => pairs(names).map(([here, there]) => `${there}:${from}${here}`)

/** A printed module as CommonJS. All but its imports and exports stays byte for byte: a tarball holds it nearly for nothing. */
export function toCommonJs(code: string): string {
  const commonJs = code
    .replace(
      /\bimport\s*\{([^}]*)\}\s*from\s*("[^"]+")/g,
      (_, names, from) => `const{${imported(names)}}=require(${from})`,
    )
    .replace(/\bimport\s*("[^"]+")/g, 'require($1)')
    .replace(
      /\bexport\s*\{([^}]*)\}\s*from\s*("[^"]+")/g,
      (_, names, from) => `Object.assign(exports,{${exported(names, `require(${from}).`)}})`,
    )
    .replace(/\bexport\s*\{([^}]*)\}/g, (_, names) => `Object.assign(exports,{${exported(names)}})`)
  const left = /\b(?:import|export)\b(?!\w*:).{0,80}/.exec(commonJs)
  if (left) throw new Error(`no rule for ${left[0]}`)
  return commonJs
}

for (const file of globSync('{*,shared/*}.js', { cwd: dist })) {
  const code = print(readFileSync(join(dist, file), 'utf8'))
  write(join(dist, file), code)
  if (file !== esmOnly) write(join(dist, 'cjs', file), toCommonJs(code))
}

// What `import` gets may refer to what `require` gets, not the other way round.
for (const name of ['browser', 'saleproof-check']) rmSync(join(dist, `${name}.d.ts`))
for (const file of globSync('{*,shared/*}.d.ts', { cwd: dist })) {
  const target = join(dist, 'cjs', file)
  mkdirSync(dirname(target), { recursive: true })
  renameSync(join(dist, file), target)
  if (!file.includes('/')) write(join(dist, file), `export * from './cjs/${file.replace('.d.ts', '.js')}'\n`)
}
write(join(dist, 'cjs/package.json'), '{"type":"commonjs"}\n')
