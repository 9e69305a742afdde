#!/usr/bin/env node
// Plain JavaScript for any Node.js: it must be able to say that the version is too old before anything newer is loaded.
// With less than version 10 of its interface for native modules the driver of SQLite takes the whole process down.
var version = process.versions.node.split('.').map(Number)
if (version[0] < 22 || Number(process.versions.napi) < 10) {
  console.error(
    'saleproof needs Node.js 24 or newer, or 22 from 22.14 on; this is ' +
      process.versions.node +
      '. Install a newer Node.js and try again.',
  )
  process.exitCode = 1
} else {
  import('../dist/main.mjs').catch((error) => {
    if (error && error.code === 'ERR_MODULE_NOT_FOUND' && /dist.main\.mjs/.test(error.message)) {
      console.error('saleproof is not built yet: run "npx -y pnpm@12 build" first.')
    } else {
      console.error(`saleproof could not start: ${error?.message}`)
    }
    process.exitCode = 1
  })
}
