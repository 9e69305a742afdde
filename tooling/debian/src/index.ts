import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** A command, the arguments that it always needs, and what it needs in its environment. */
export interface Program {
  command: string
  args: readonly string[]
  env: Record<string, string | undefined>
}

interface Wanted {
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

function unpackedIn(folder: string, find: Wanted['unpacked']): Program | undefined {
  const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
  const libraries = ['usr/lib', 'lib'].map((path) => join(folder, path, triplet))
  const path = [...libraries, process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter)
  const program = existsSync(folder) ? find(folder) : undefined
  return program && { ...program, env: { LD_LIBRARY_PATH: path } }
}

type Apt = (command: 'apt-get' | 'apt-cache', ...args: string[]) => string

// Every system has them, and another version of the C library than that of the system's loader does not start.
const always = /^(libc6|libgcc-s1|libstdc\+\+6|libcrypt1)$/

const isNeeded = (name: string, of: string) =>
  !always.test(name) && (name.startsWith('lib') || name.startsWith(of.split(/[-\d]/, 1)[0] ?? of))

/** The libraries that packages need, and the versioned packages behind names such as `php-cli`. */
function dependenciesOf(apt: Apt, names: readonly string[]): string[] {
  let of = ''
  return apt('apt-cache', 'depends', ...names)
    .split('\n')
    .flatMap((line) => {
      if (/^\S/.test(line)) of = line
      const [, name] = /Depends: ([^\s<]+)$/.exec(line) ?? []
      return name !== undefined && isNeeded(name, of) ? [name] : []
    })
}

/** The packages, and what a small system may lack of what they need. */
function withDependencies(apt: Apt, names: readonly string[]): string[] {
  const all = new Set(names)
  for (let level = [...names]; level.length; ) {
    level = dependenciesOf(apt, level).filter((name) => !all.has(name))
    for (const name of level) all.add(name)
  }
  return [...all]
}

/** Debian's packages, unpacked into a folder of the user: nothing is installed and no service started. */
function download(cache: string, packages: readonly string[]) {
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, 'new-'))
  const lists = join(work, 'lists')
  const aptCache = join(work, 'cache')
  for (const folder of [lists, aptCache]) mkdirSync(join(folder, 'partial'), { recursive: true })
  mkdirSync(join(aptCache, 'archives/partial'), { recursive: true })
  const own = ['-o', `Dir::State::lists=${lists}`, '-o', `Dir::Cache=${aptCache}`]
  const apt: Apt = (command, ...args) =>
    execFileSync(command, [...own, ...args], { cwd: work, stdio: 'pipe', encoding: 'utf8' })
  const root = join(work, 'root')
  try {
    apt('apt-get', 'update')
    apt('apt-get', 'download', ...withDependencies(apt, packages))
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

/** A program that npm does not bring: that of the system, else Debian's. */
export function findProgram({ title, installed, probe, packages, unpacked }: Wanted): Program {
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
