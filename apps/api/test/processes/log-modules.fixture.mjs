import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

// Names every module that is loaded, in a file: standard error takes no more while its reader is busy.
registerHooks({
  load(url, context, next) {
    appendFileSync(process.env.LOADED_MODULES, `${url}\n`)
    return next(url, context)
  },
})
