import { readFileSync } from 'node:fs'
import { minifySync, type Plugin, transformWithOxc } from 'vite'

/**
 * Adds a blocking script that applies the theme: modules run too late for that, and the content security policy blocks inline scripts.
 * The console has its skeleton before it, whose parts appear later than the script comes from the browser's cache, and a module that
 * begins to load what its page needs, before the program has come.
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
        const find = (wanted: string) => Object.values(bundle).find(({ name }) => name === wanted)
        const [start, main] = [find('start'), find('main')]
        if (start?.type !== 'chunk' || !main) throw new Error('start.ts has no chunk of its own')
        const boot = `<script src="./${this.getFileName(reference)}"></script>`
        const begin = [
          `<script type="module" async crossorigin src="./${start.fileName}"></script>`,
          ...[...start.imports, main.fileName].map(
            (part) => `<link rel="modulepreload" crossorigin href="./${part}">`,
          ),
        ]
        for (const file of Object.values(bundle)) {
          if (file.type !== 'asset') continue
          // In the console it comes last, behind the sheets of pages, whose rules win all the same.
          if (/main-[^/]+\.css$/.test(file.fileName)) file.source = `@layer main{${file.source}}`
          if (!file.fileName.endsWith('.html')) continue
          const source = String(file.source)
          // The first six requests are sent at once: what is painted, and what takes longest, is among them.
          const sheets = source.match(/<link rel="stylesheet".*>/g) ?? []
          const isConsole = file.fileName === 'index.html'
          // As a preload it delays no paint; start.ts applies it, before the styles of pages get into the head.
          const early = sheets.map((sheet) => sheet.replace('stylesheet"', 'preload" as="style"'))
          const tags = isConsole ? [...early, ...begin] : [boot, ...sheets]
          file.source = source
            .replaceAll(/ *<link rel="stylesheet".*>\n/g, '')
            .replace('</title>', ['</title>', ...tags].join('\n    '))
            .replace('</body>', (end) => (isConsole ? `  ${boot}\n  ${end}` : end))
        }
      },
    },
  }
}
