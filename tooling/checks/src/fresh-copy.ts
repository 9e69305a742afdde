import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { files, root } from './repository.ts'

/** The environment of somebody who has just cloned: nothing of the package manager that runs these tests. */
function freshEnvironment(): Record<string, string> {
  const { PATH = '', ...rest } = process.env
  const kept = Object.entries(rest).filter(
    ([name]) => !/^(npm_|pnpm_|INIT_CWD|NODE_|VITEST|TEST$|MODE$|DEV$|PROD$|CI$|TURBO_)/i.test(name),
  )
  const path = PATH.split(delimiter).filter((folder) => !folder.includes('node_modules'))
  return { ...(Object.fromEntries(kept) as Record<string, string>), PATH: path.join(delimiter) }
}

/** A copy of the repository as it would be committed: no installed packages, nothing built, no data. */
export function createFreshCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-clone-'))
  for (const file of files) cpSync(join(root, file), join(folder, file))
  const env = freshEnvironment()

  function start(command: string, variables: Readonly<Record<string, string>> = {}) {
    // A group of its own, so that Ctrl-C can be sent as a terminal does: to all of it.
    const child = spawn('bash', ['-c', command], {
      cwd: folder,
      env: { ...env, ...variables },
      detached: true,
    })
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text) => {
        output[name] += text
      })
    }
    const done = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
      child.on('close', (code) => resolve({ code, ...output })),
    )
    const until = (pattern: RegExp) =>
      new Promise<string>((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(output.stderr)
          if (found) resolve(found[1] ?? found[0])
        }
        child.stderr.on('data', look)
        look()
        void done.then(({ code, stderr }) => reject(new Error(`${command} ended with ${code}: ${stderr}`)))
      })
    return { output, done, until, interrupt: () => process.kill(-child.pid!, 'SIGINT') }
  }

  return {
    folder,
    start,
    run: (command: string, variables?: Readonly<Record<string, string>>) => start(command, variables).done,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
