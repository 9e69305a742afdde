import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { transformSync } from 'esbuild'

// Finishes what tsdown built: each file a second time as CommonJS, printed without blanks in short lines (a stack trace shows the line
// that threw), and the declarations once.

const dist = join(import.meta.dirname, '../dist')
const esmOnly = ['saleproof-check.js']
// These are not bundled for a page or a worker: `import` gets what `require` gets.
const commonJsOnly = ['testing.js', 'node.js']

const print = (code: string) =>
  transformSync(code, {
    charset: 'utf8',
    minifyWhitespace: true,
    minifyIdentifiers: true,
    lineLimit: 240,
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
// In this form Node.js finds the names when an ES module imports them.
const exported = (names: string, from = '') =>
  pairs(names)
    .map(([here, there]) => `exports.${there}=${from}${here}`)
    .join(';')

/** A printed module as CommonJS. All but its imports and exports stays byte for byte: a tarball holds it nearly for nothing. */
export function toCommonJs(code: string): string {
  const commonJs = code
    .replace(
      /\bimport\s*\{([^}]*)\}\s*from\s*("[^"]+")/g,
      (_, names, from) => `const{${imported(names)}}=require(${from})`,
    )
    .replace(/\bimport\s*("[^"]+")/g, 'require($1)')
    .replace(/\bexport\s*\{([^}]*)\}\s*from\s*("[^"]+")/g, (_, names, from) =>
      exported(names, `require(${from}).`),
    )
    .replace(/\bexport\s*\{([^}]*)\}/g, (_, names) => exported(names))
  const left = /\b(?:import|export)\b(?!\w*:).{0,80}/.exec(commonJs)
  if (left) throw new Error(`no rule for ${left[0]}`)
  return commonJs
}

const modules = new Map(
  globSync('{*,shared/*}.js', { cwd: dist }).map((file) => [
    file,
    print(readFileSync(join(dist, file), 'utf8')),
  ]),
)

/** The ES modules that an entry needs: itself and its chunks. */
function chunksOf(file: string): string[] {
  const imports = [...(modules.get(file) ?? '').matchAll(/from\s*"(\.[^"]+)"/g)]
  return [file, ...imports.flatMap(([, from = '']) => chunksOf(join(dirname(file), from)))]
}

const entries = [...modules.keys()].filter((file) => !file.includes('/') && !commonJsOnly.includes(file))
const needed = new Set(entries.flatMap(chunksOf))
for (const [file, code] of modules) {
  if (!esmOnly.includes(file)) write(join(dist, 'cjs', file), toCommonJs(code))
  if (needed.has(file)) write(join(dist, file), code)
  else if (!commonJsOnly.includes(file)) rmSync(join(dist, file))
  else {
    const names = [...code.matchAll(/\bexport\s*\{([^}]*)\}/g)].flatMap(([, list = '']) => pairs(list))
    write(join(dist, file), `export {${names.map(([, name]) => name)}} from './cjs/${file}'\n`)
  }
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
