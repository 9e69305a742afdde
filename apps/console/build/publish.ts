import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'
import { paths } from '../src/app/pages.ts'

/** Describes the build for `apps/api`, which reads it from `console.json`. */
export interface Manifest {
  /** The paths that serve `index.html`, relative to the console; `:name` matches any segment. */
  pages: readonly string[]
  /** By file name. `encodings` lists the compressed copies, best first. */
  files: Record<string, { type: string; encodings: string[] }>
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

const compressors: Readonly<Record<string, (plain: Buffer) => Promise<Buffer>>> = {
  br: (plain) =>
    promisify(brotliCompress)(plain, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    }),
  gzip: (plain) => promisify(gzip)(plain, { level: 9 }),
}

const fontLicense = new URL('../node_modules/@fontsource-variable/figtree/LICENSE', import.meta.url)

/** Writes compressed copies, and returns their encodings. Fonts are compressed already; copies that save under 5% are skipped. */
async function compress(file: string, type: string): Promise<string[]> {
  if (type.startsWith('font/')) return []
  const plain = await readFile(file)
  const encodings = await Promise.all(
    Object.entries(compressors).map(async ([encoding, compressor]) => {
      const bytes = await compressor(plain)
      if (bytes.length > plain.length * 0.95) return []
      await writeFile(`${file}.${encoding}`, bytes)
      return encoding
    }),
  )
  return encodings.flat()
}

/** Compresses the files at build time, and lists them in `console.json`. */
export function publish(): Plugin {
  return {
    name: 'saleproof:publish',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => !name.endsWith('.html'))
      const files = await Promise.all(
        names.map(async (name) => {
          const type = types[name.split('.').at(-1) ?? '']
          if (!type) throw new Error(`unknown file type: ${name}`)
          return [name, { type, encodings: await compress(join(dir, name), type) }] as const
        }),
      )
      const manifest: Manifest = { pages: Object.values(paths), files: Object.fromEntries(files) }
      await writeFile(join(dir, 'console.json'), JSON.stringify(manifest))
      // Not as LICENSE: pnpm would then leave the service's own LICENSE out of its package.
      await copyFile(fontLicense, join(dir, 'figtree.license.txt'))
    },
  }
}
