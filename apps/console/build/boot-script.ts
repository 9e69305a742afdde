import { readFileSync } from 'node:fs'
import { minifySync, type Plugin, transformWithOxc } from 'vite'

/**
 * Adds a blocking script that applies the theme before the first paint. Modules run too late for that, and the content security
 * policy blocks inline scripts.
 */
export function bootScript(): Plugin {
  const source = new URL('../src/boot.ts', import.meta.url)
  let reference = ''
  return {
    name: 'saleproof:boot-script',
    apply: 'build',
    enforce: 'post',
    async buildStart() {
      const { code } = await transformWithOxc(readFileSync(source, 'utf8'), source.pathname)
      const script = minifySync('boot.js', code, { module: false, mangle: { toplevel: false } })
      reference = this.emitFile({ type: 'asset', name: 'boot.js', source: script.code })
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const tag = `<script src="./${this.getFileName(reference)}"></script>`
        for (const file of Object.values(bundle)) {
          if (file.type !== 'asset' || !file.fileName.endsWith('.html')) continue
          file.source = String(file.source).replace('</title>', `</title>\n    ${tag}`)
        }
      },
    },
  }
}
