import type { Plugin } from 'vite'

const entry = '@saleproof/schema/console'
const module = `\0${entry}`

/**
 * Gives the pages the method and the path of each endpoint alone: with the schemas of the requests every page would load Valibot.
 * Nothing but the endpoints is a value that the pages import from this entry.
 */
export const endpoints = (): Plugin => ({
  name: 'saleproof:endpoints',
  apply: 'build',
  enforce: 'pre',
  resolveId: (source) => (source === entry ? module : undefined),
  async load(id) {
    if (id !== module) return undefined
    const { consoleEndpoints } = await import('@saleproof/schema/console')
    const routes = Object.entries(consoleEndpoints).map(([name, { method, path }]) => [
      name,
      { method, path },
    ])
    return `export const consoleEndpoints = ${JSON.stringify(Object.fromEntries(routes))}`
  },
})
