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
} else if (maxOpenFiles() < 64) {
  console.error(
    'saleproof needs 64 open files or more, and the system allows ' +
      maxOpenFiles() +
      ': raise the limit (ulimit -n, LimitNOFILE) and try again.',
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

/** Without descriptors SQLite and Node.js fail in ways that say nothing, and a crash is one of them. */
function maxOpenFiles() {
  try {
    const limits = process.getBuiltinModule('node:fs').readFileSync('/proc/self/limits', 'utf8')
    return Number(/^Max open files +(\d+)/m.exec(limits)[1])
  } catch {
    // Another system than Linux, or no limit.
    return Infinity
  }
}
