import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { minifySync, type Plugin, transformWithOxc } from 'vite'

/**
 * Adds a blocking script that applies the theme before the first paint: modules run too late for that, and the content security policy
 * blocks inline scripts. To the console it adds a module that begins to load what its page needs, before the program has come.
 */
export function bootScript(): Plugin {
  const source = new URL('../src/boot.ts', import.meta.url)
  let reference = ''
  let start = ''
  return {
    name: 'saleproof:boot-script',
    apply: 'build',
    enforce: 'post',
    async buildStart() {
      const { code } = await transformWithOxc(readFileSync(source, 'utf8'), source.pathname)
      const script = minifySync('boot.js', code, { module: false, mangle: { toplevel: false } })
      reference = this.emitFile({ type: 'asset', name: 'boot.js', source: script.code })
      start = this.emitFile({ type: 'chunk', id: fileURLToPath(new URL('../src/start.ts', import.meta.url)) })
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const name = this.getFileName(start)
        const chunk = bundle[name]
        const parts = chunk?.type === 'chunk' ? chunk.imports : []
        const boot = `<script src="./${this.getFileName(reference)}"></script>`
        const begin = [
          `<script type="module" async crossorigin src="./${name}"></script>`,
          ...parts.map((part) => `<link rel="modulepreload" crossorigin href="./${part}">`),
        ]
        for (const file of Object.values(bundle)) {
          if (file.type !== 'asset' || !file.fileName.endsWith('.html')) continue
          const tags = file.fileName === 'index.html' ? [boot, ...begin] : [boot]
          file.source = String(file.source).replace('</title>', ['</title>', ...tags].join('\n    '))
        }
      },
    },
  }
}
