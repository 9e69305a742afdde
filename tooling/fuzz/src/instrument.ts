import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { createInstrumenter } from 'istanbul-lib-instrument'
import { readSettings } from './settings.ts'

// Preloaded with `node --import`: instruments the fuzzed modules when they are loaded.

const { instrument, bugs } = readSettings(process.env)
const instrumenter = createInstrumenter({ esModules: true, compact: true, produceSourceMap: false })

function sourceOf(file: string) {
  let source = readFileSync(file, 'utf8')
  for (const bug of bugs.filter((one) => file.endsWith(one.file))) {
    if (!source.includes(bug.find)) throw new Error(`${bug.file} has no ${bug.find}`)
    source = source.replace(bug.find, bug.replace)
  }
  return source
}

registerHooks({
  load(url, context, next) {
    if (!url.startsWith('file:') || !instrument.some((part) => url.includes(part))) return next(url, context)
    const file = fileURLToPath(url)
    const source = instrumenter.instrumentSync(stripTypeScriptTypes(sourceOf(file)), file)
    return { format: 'module', source, shortCircuit: true }
  },
})
