import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { files, root } from './repository.ts'

type Variables = Readonly<Record<string, string>>

/** The environment after a `git clone`: without the package manager and the test runner. */
function freshEnvironment() {
  const { PATH = '', ...rest } = process.env
  const toolVariables = /^(npm_|pnpm_|INIT_CWD|NODE_|VITEST|TEST$|MODE$|DEV$|PROD$|CI$|TURBO_)/i
  const kept = Object.entries(rest).filter(([name]) => !toolVariables.test(name))
  const path = PATH.split(delimiter).filter((folder) => !folder.includes('node_modules'))
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter) }
}

/** A copy of the repository as it would be committed: nothing installed, nothing built, no data. */
export function createFreshCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-clone-'))
  for (const file of files) cpSync(join(root, file), join(folder, file))
  const env = freshEnvironment()

  function start(command: string, variables: Variables = {}) {
    // A process group, so that an interrupt reaches all of it, as Ctrl-C in a terminal does.
    const child = spawn('bash', ['-c', command], {
      cwd: folder,
      env: { ...env, ...variables },
      detached: true,
    })
    const { pid = 0 } = child
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text) => {
        output[name] += text
      })
    const done = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
      child.on('close', (code) => resolve({ code, ...output })),
    )
    /** Waits for a line of standard error; returns its first group. */
    const until = (pattern: RegExp) =>
      new Promise<string>((resolve, reject) => {
        const check = () => {
          const found = pattern.exec(output.stderr)
          if (found) resolve(found[1] ?? found[0])
        }
        child.stderr.on('data', check)
        check()
        void done.then(({ code, stderr }) => reject(new Error(`${command} ended with ${code}: ${stderr}`)))
      })
    return { done, until, interrupt: () => process.kill(-pid, 'SIGINT') }
  }

  return {
    folder,
    start,
    run: (command: string, variables?: Variables) => start(command, variables).done,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
