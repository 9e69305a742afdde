import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'

// Names every module that is loaded.
registerHooks({
  load(url, context, next) {
    writeSync(2, `loaded ${url}\n`)
    return next(url, context)
  },
})
