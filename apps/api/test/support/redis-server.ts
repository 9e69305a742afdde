import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProgram, type Program } from '@saleproof/debian'
import { freePort } from '@saleproof/postgres'

const wanted = {
  title: 'a Redis server',
  installed: ['redis-server', 'valkey-server'],
  packages: ['redis-server'],
  unpacked: (folder: string) => ({ command: join(folder, 'usr/bin/redis-server'), args: [] }),
}

let server: Program | undefined

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    // Without the password the answer is an error, which is one all the same.
    socket.once('data', () => resolve(true)).once('error', () => resolve(false))
    socket.once('data', () => socket.destroy())
  })

/** A Redis server of its own, on a port that stays the same when it is started again. */
export async function startRedis({ password }: { password?: string } = {}) {
  server ??= findProgram(wanted)
  const { command, env } = server
  const port = await freePort()
  const auth = password ? ['--requirepass', password] : []
  let child: ReturnType<typeof spawn>

  async function start() {
    child = spawn(command, ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', ...auth], {
      env: { ...process.env, ...env },
      cwd: '/tmp',
      stdio: 'ignore',
    })
    while (!(await answers(port))) await sleep(20)
  }
  const ended = () => new Promise<void>((resolve) => child.once('exit', () => resolve()))

  await start()
  return {
    port,
    url: `redis://${password ? `:${password}@` : ''}127.0.0.1:${port}`,
    start,
    /** Takes no notice of anybody, without closing a connection. */
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async stop() {
      const gone = ended()
      child.kill('SIGCONT')
      child.kill('SIGKILL')
      await gone
    },
  }
}
