import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProgram } from '@saleproof/debian'
import { freePort } from '@saleproof/postgres'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { shopUrl } from './servers.ts'

const wanted = {
  title: 'PgBouncer',
  installed: ['pgbouncer'],
  packages: ['pgbouncer'],
  unpacked: (folder: string) => ({ command: join(folder, 'usr/sbin/pgbouncer'), args: [] }),
}

/** Every client is the owner of the database: its name is ignored. */
function configuration({ port, server }: { port: number; server: number }) {
  const { username, password } = new URL(shopUrl(server))
  const database = `host=127.0.0.1 port=${server} dbname=shop user=${username} password=${password}`
  return `[databases]
shop = ${database}
sessions = ${database} pool_mode=session
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
server_login_retry = 1
`
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end()
  }
}

/** PgBouncer in transaction mode before a server, with three connections to it for all clients. */
export async function startPgbouncer(server: number) {
  const { command, env } = findProgram(wanted)
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-pgbouncer-'))
  // It reads its file again as another user than root.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, configuration({ port, server }))
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const url = shopUrl(port)
  let child: ChildProcess
  async function start() {
    child = spawn(command, [...user, file], {
      env: { ...process.env, ...env },
      cwd: folder,
      stdio: 'ignore',
    })
    while (!(await answers(url))) await sleep(20)
  }
  async function kill() {
    const gone = once(child, 'exit')
    if (child.kill('SIGKILL')) await gone
  }
  onTestFinished(async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  })
  await start()
  return {
    start,
    kill,
    /** The variables of an instance. */
    env: {
      DATABASE_URL: `${url}?pgbouncer=true`,
      DATABASE_DIRECT_URL: `${url.replace(/shop$/, 'sessions')}?pgbouncer=true`,
    },
    /** Fails over to another server without a notice to its clients. */
    moveTo(other: number) {
      writeFileSync(file, configuration({ port, server: other }))
      child.kill('SIGHUP')
    },
  }
}
