import type { Plugin } from 'vite'

/** Adds to the console a module that begins to load what its page needs, before the program has come. */
export function startScript(): Plugin {
  return {
    name: 'saleproof:start-script',
    apply: 'build',
    transform: {
      // The chunk `main`: in the console its sheet comes last, behind those of pages, whose rules win all the same.
      filter: { id: /\/src\/(?:design|layout|ui)\/[^/]+\.css$/ },
      handler: (css) => `@layer main{${css}}`,
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const find = (wanted: string) => Object.values(bundle).find(({ name }) => name === wanted)
        const [start, main, page] = [find('start'), find('main'), bundle['index.html']]
        if (start?.type !== 'chunk' || !main) throw new Error('start.ts has no chunk of its own')
        if (page?.type !== 'asset') throw new Error('index.html is missing')
        const source = String(page.source)
        // The first six requests are sent at once: what is painted, and what takes longest, is among them.
        const sheets = source.match(/<link rel="stylesheet".*>/g) ?? []
        const tags = [
          // As a preload it delays no paint; start.ts applies it, before the styles of pages get into the head.
          ...sheets.map((sheet) => sheet.replace('stylesheet"', 'preload" as="style"')),
          `<script type="module" async crossorigin src="./${start.fileName}"></script>`,
          ...[...start.imports, main.fileName].map(
            (part) => `<link rel="modulepreload" crossorigin href="./${part}">`,
          ),
        ]
        page.source = source
          .replaceAll(/ *<link rel="stylesheet".*>\n/g, '')
          .replace('</title>', ['</title>', ...tags].join('\n    '))
      },
    },
  }
}
