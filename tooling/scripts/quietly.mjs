// Runs a command and shows what it printed only when it fails. Plain JavaScript: it runs before anything is built, on any Node.js.
import { spawn } from 'node:child_process'

const [command, ...args] = process.argv.slice(2)
const output = []
const child = spawn(command, args, {
  env: { ...process.env, DO_NOT_TRACK: '1' },
  stdio: ['ignore', 'pipe', 'pipe'],
  shell: process.platform === 'win32',
})
for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk))
// Whoever waits shall know what for.
const waiting = setTimeout(
  () => process.stderr.write(`${[command, ...args.slice(0, 2)].join(' ')} …\n`),
  1000,
)
// Ctrl-C reaches the command as well; this process ends with it.
process.on('SIGINT', () => {})
child.on('error', ({ message }) => {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
})
child.on('close', (code, signal) => {
  clearTimeout(waiting)
  process.exitCode ||= code ?? (signal === 'SIGINT' ? 130 : 1)
  if (code) process.stderr.write(Buffer.concat(output))
})
