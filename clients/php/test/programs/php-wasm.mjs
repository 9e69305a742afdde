import { createRequire } from 'node:module'

// Arguments: the folder that holds `node_modules`, the release of PHP, PHP's own arguments.
const [folder, release, ...args] = process.argv.slice(2)
const { loadNodeRuntime, useHostFilesystem } = createRequire(`${folder}/`)('@php-wasm/node')
const { PHP } = createRequire(`${folder}/`)('@php-wasm/universal')

const php = new PHP(await loadNodeRuntime(release, { emscriptenOptions: { processId: process.pid } }))
useHostFilesystem(php)
const run = await php.cli(['php', ...args])
const [stdout, stderr, exitCode] = await Promise.all([run.stdoutText, run.stderrText, run.exitCode])
process.stdout.write(stdout)
process.stderr.write(stderr, () => process.exit(exitCode))
