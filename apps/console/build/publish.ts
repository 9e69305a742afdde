import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import type { Plugin } from 'vite'
import { paths } from '../src/app/pages.ts'

/** What whoever serves the build has to know of it. `apps/api` reads it from `console.json`. */
export interface Manifest {
  /** Paths below the console that show `index.html`, with `:name` for a segment of any text. */
  pages: readonly string[]
  /** The names are those of the files; `encodings` are those that a compressed copy lies beside it for, best first. */
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
  zstd: (plain) => promisify(zstdCompress)(plain, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }),
  gzip: (plain) => promisify(gzip)(plain, { level: 9 }),
}

const fontLicence = new URL('../node_modules/@fontsource-variable/figtree/LICENSE', import.meta.url)

/** A font is compressed already; what gets hardly smaller is sent as it is. */
async function compress(file: string, type: string): Promise<string[]> {
  if (type.startsWith('font/')) return []
  const plain = await readFile(file)
  const made = await Promise.all(
    Object.entries(compressors).map(async ([encoding, by]) => {
      const bytes = await by(plain)
      if (bytes.length > plain.length * 0.95) return []
      await writeFile(`${file}.${encoding}`, bytes)
      return encoding
    }),
  )
  return made.flat()
}

/** Lists what was built, and lays compressed copies beside it: nothing has to be compressed while it is asked for. */
export function publish(): Plugin {
  return {
    name: 'saleproof:publish',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => name !== 'index.html')
      const files = await Promise.all(
        names.map(async (name) => {
          const type = types[name.split('.').at(-1) ?? '']
          if (!type) throw new Error(`of what type is ${name}?`)
          return [name, { type, encodings: await compress(join(dir, name), type) }] as const
        }),
      )
      const manifest: Manifest = { pages: Object.values(paths), files: Object.fromEntries(files) }
      await writeFile(join(dir, 'console.json'), JSON.stringify(manifest))
      // Under a name of its own: a file LICENSE anywhere keeps pnpm from packing that of the service.
      await copyFile(fontLicence, join(dir, 'figtree.licence.txt'))
    },
  }
}
