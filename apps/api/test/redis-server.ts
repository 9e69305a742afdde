import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { packageRoot } from './harness.ts'

/** A command, and what it needs in its environment. */
interface Program {
  command: string
  env: Record<string, string | undefined>
}

const cache = join(packageRoot, '.cache', 'redis')
/** The server, and the libraries that a small system may lack. */
const packages = ['redis-server', 'redis-tools', 'liblzf1', 'libjemalloc2', 'libatomic1']

const runs = ({ command, env }: Program) =>
  spawnSync(command, ['--version'], { env: { ...process.env, ...env } }).status === 0

const unpackedIn = (folder: string): Program => {
  const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
  const libraries = [join(folder, 'usr/lib', triplet), process.env.LD_LIBRARY_PATH].filter(Boolean)
  return {
    command: join(folder, 'usr/bin/redis-server'),
    env: { LD_LIBRARY_PATH: libraries.join(delimiter) },
  }
}

/** Debian's packages, unpacked into a folder of the repository: nothing is installed and no service started. */
function download() {
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, 'new-'))
  const lists = join(work, 'lists')
  const aptCache = join(work, 'cache')
  for (const folder of [lists, aptCache]) mkdirSync(join(folder, 'partial'), { recursive: true })
  mkdirSync(join(aptCache, 'archives/partial'), { recursive: true })
  const apt = (...args: string[]) => execFileSync('apt-get', args, { cwd: work, stdio: 'pipe' })
  const own = ['-o', `Dir::State::lists=${lists}`, '-o', `Dir::Cache=${aptCache}`]
  const root = join(work, 'root')
  try {
    apt(...own, 'update')
    apt(...own, 'download', ...packages)
    mkdirSync(root)
    const debs = execFileSync('ls', { cwd: work, encoding: 'utf8' })
      .split('\n')
      .filter((name) => name.endsWith('.deb'))
    for (const deb of debs) execFileSync('dpkg', ['-x', deb, root], { cwd: work })
    // Another test may have been faster.
    if (!existsSync(join(cache, 'root'))) renameSync(root, join(cache, 'root'))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function findServer(): Program {
  const installed = ['redis-server', 'valkey-server'].map((command) => ({ command, env: {} })).find(runs)
  if (installed) return installed
  const unpacked = unpackedIn(join(cache, 'root'))
  if (runs(unpacked)) return unpacked
  let reason = ''
  try {
    download()
  } catch (error) {
    reason = ` (apt-get: ${(error as Error).message.split('\n')[0]})`
  }
  if (runs(unpacked)) return unpacked
  throw new Error(
    `These tests need a Redis server: put redis-server or valkey-server into the PATH, such as with "apt-get install redis-server"${reason}.`,
  )
}

let server: Program | undefined

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    // Without the password the answer is an error, which is one all the same.
    socket.once('data', () => resolve(true)).once('error', () => resolve(false))
    socket.once('data', () => socket.destroy())
  })

/** A Redis server of its own, on a port that stays the same when it is started again. */
export async function startRedis({ password }: { password?: string } = {}) {
  server ??= findServer()
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
