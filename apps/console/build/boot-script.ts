import { readFileSync } from 'node:fs'
import { minifySync, type Plugin, transformWithOxc } from 'vite'

/**
 * The chosen colours have to be known before anything is painted. A module runs later than that, and the policy of the pages
 * allows no inline script: so this one is a file that the browser waits for.
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
        const index = bundle['index.html']
        if (index?.type !== 'asset') throw new Error('there is no index.html')
        const tag = `<script src="./${this.getFileName(reference)}"></script>`
        index.source = String(index.source).replace('</title>', `</title>\n    ${tag}`)
      },
    },
  }
}
