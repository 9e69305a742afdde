import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { packageRoot } from './folders.ts'

/** A command, and what it needs in its environment. */
export interface Program {
  command: string
  env: Record<string, string | undefined>
}

interface Wanted {
  /** What tests call it. */
  title: string
  /** Commands that are as good, where they are installed. */
  installed: readonly string[]
  /** Where it is in Debian's packages: the server, and the libraries that a small system may lack. */
  binary: string
  packages: readonly string[]
}

const runs = ({ command, env }: Program) =>
  spawnSync(command, ['--version'], { env: { ...process.env, ...env } }).status === 0

function unpackedIn(folder: string, binary: string): Program {
  const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
  const libraries = ['usr/lib', 'lib'].map((path) => join(folder, path, triplet))
  const path = [...libraries, process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter)
  return { command: join(folder, binary), env: { LD_LIBRARY_PATH: path } }
}

/** Debian's packages, unpacked into a folder of the repository: nothing is installed and no service started. */
function download(cache: string, packages: readonly string[]) {
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

/** A program that npm does not bring: that of the system, else Debian's. */
export function findProgram({ title, installed, binary, packages }: Wanted): Program {
  const found = installed.map((command) => ({ command, env: {} })).find(runs)
  if (found) return found
  const cache = join(packageRoot, '.cache', installed[0]!)
  const unpacked = unpackedIn(join(cache, 'root'), binary)
  if (runs(unpacked)) return unpacked
  let reason = ''
  try {
    download(cache, packages)
  } catch (error) {
    reason = ` (apt-get: ${(error as Error).message.split('\n')[0]})`
  }
  if (runs(unpacked)) return unpacked
  throw new Error(
    `These tests need ${title}: put ${installed.join(' or ')} into the PATH, such as with "apt-get install ${packages[0]}"${reason}.`,
  )
}
