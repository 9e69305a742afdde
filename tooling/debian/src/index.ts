import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** A command, the arguments that it always needs, and what it needs in its environment. */
export interface Program {
  command: string
  args: readonly string[]
  env: Record<string, string | undefined>
}

interface ProgramSpec {
  /** What tests call it. */
  title: string
  /** Commands that are as good, where they are installed. */
  installed: readonly string[]
  /** Makes the program end successfully if it can be used; `--version` by default. */
  probe?: readonly string[]
  /** Debian's packages of it. */
  packages: readonly string[]
  /** The program in the folder that the packages were unpacked into. */
  unpacked: (folder: string) => Omit<Program, 'env'> | undefined
}

const runs = (program: Program | undefined, probe: readonly string[] = ['--version']) =>
  program !== undefined &&
  spawnSync(program.command, [...program.args, ...probe], { env: { ...process.env, ...program.env } })
    .status === 0

function unpackedIn(folder: string, find: ProgramSpec['unpacked']): Program | undefined {
  const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
  const libraries = ['usr/lib', 'lib'].map((path) => join(folder, path, triplet))
  const path = [...libraries, process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter)
  const program = existsSync(folder) ? find(folder) : undefined
  return program && { ...program, env: { LD_LIBRARY_PATH: path } }
}

/** Debian's packages and what the system lacks of what they need, unpacked into a folder of the user: nothing is installed. */
function download(cache: string, packages: readonly string[]) {
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, 'new-'))
  for (const folder of ['lists/partial', 'archives/partial'])
    mkdirSync(join(work, folder), { recursive: true })
  // Any user may run it: apt's own folders are neither written nor locked.
  const own = [
    '-o',
    `Dir::State::lists=${work}/lists`,
    '-o',
    `Dir::Cache=${work}`,
    '-o',
    'Debug::NoLocking=1',
  ]
  const apt = (...args: string[]) => execFileSync('apt-get', [...own, ...args], { cwd: work, stdio: 'pipe' })
  const root = join(work, 'root')
  try {
    apt('update')
    apt('install', '--download-only', '--reinstall', '--no-install-recommends', '-y', ...packages)
    mkdirSync(root)
    for (const deb of globSync(join(work, 'archives/*.deb'))) execFileSync('dpkg', ['-x', deb, root])
    // Another test may have been faster.
    if (!existsSync(join(cache, 'root'))) renameSync(root, join(cache, 'root'))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** A program that npm does not bring: that of the system, else Debian's. */
export function findProgram({ title, installed, probe, packages, unpacked }: ProgramSpec): Program {
  const found = installed
    .map((command) => ({ command, args: [], env: {} }))
    .find((program) => runs(program, probe))
  if (found) return found
  const userCache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const cache = join(userCache, 'saleproof', `debian-${packages[0]}`)
  const usable = () => {
    const program = unpackedIn(join(cache, 'root'), unpacked)
    return runs(program, probe) ? program : undefined
  }
  const before = usable()
  if (before) return before
  let reason = ''
  try {
    download(cache, packages)
  } catch (error) {
    reason = ` (apt-get: ${String(error).split('\n')[0]})`
  }
  const after = usable()
  if (after) return after
  throw new Error(
    `These tests need ${title}: put ${installed.join(' or ')} into the PATH, such as with "apt-get install ${packages.join(' ')}"${reason}.`,
  )
}
