import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '@saleproof/debian'
import { freePort } from '@saleproof/postgres'
import { onTestFinished } from 'vitest'
import { eventually } from '../faults/serving.ts'
import { receive } from '../support/client.ts'
import { packageRoot } from '../support/folders.ts'
import { temporaryFolder } from '../support/harness.ts'

const wanted = {
  title: 'HAProxy',
  installed: ['haproxy'],
  probe: ['-v'],
  packages: ['haproxy'],
  unpacked: (folder: string) => ({ command: join(folder, 'usr/sbin/haproxy'), args: [] }),
}

/** HAProxy with the configuration of deploy/haproxy.cfg, in front of instances at these addresses. */
export async function startHaproxy(addresses: readonly string[]) {
  const { command, env } = findProgram(wanted)
  const { folder, remove } = await temporaryFolder()
  const port = await freePort()
  const documented = readFileSync(join(packageRoot, 'deploy/haproxy.cfg'), 'utf8')
  const own = addresses.reduce(
    (text, address, index) => text.replaceAll(`127.0.0.1:${3000 + index}\n`, `${address}\n`),
    documented.replace('127.0.0.1:8080', `127.0.0.1:${port}`),
  )
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, own)
  const child = spawn(command, ['-db', '-f', file], { env: { ...process.env, ...env }, stdio: 'pipe' })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log += text
  })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
    await remove()
  })
  const url = `http://127.0.0.1:${port}`
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`HAProxy did not start: ${log}`)
    const response = await receive(url, { path: '/readyz' }).catch(() => undefined)
    return response?.status === 200
  })
  return url
}
