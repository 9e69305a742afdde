import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from './repository.ts'

/** A command as `--help` lists it. */
export interface CommandHelp {
  options: readonly string[]
  commands: ReadonlyMap<string, CommandHelp>
}

// In this process: one for each command would take longer than all other checks.
const { run } = createRequire(import.meta.url)(join(root, 'apps/api/dist-test/commands/program.mjs'))

async function readHelp(path: readonly string[]): Promise<CommandHelp> {
  const texts: string[] = []
  const output = { write: (text: string) => texts.push(text) }
  const code = await run([...path, '--help'], { env: {}, packageRoot: '', stdout: output, stderr: output })
  const stdout = texts.join('')
  if (code !== 0) throw new Error(`saleproof ${path.join(' ')} --help: ${stdout}`)
  const section = (title: string) =>
    new RegExp(`^${title}:\n([\\s\\S]*?)(?:\n\n|$(?![\\s\\S]))`, 'm').exec(stdout)?.[1] ?? ''
  const options = [...section('Options').matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, name = '']) => name)
  const names = [...section('Commands').matchAll(/^ {2}(\w[\w-]*)/gm)].map(([, name = '']) => name)
  const commands = new Map<string, CommandHelp>()
  for (const name of names) if (name !== 'help') commands.set(name, await readHelp([...path, name]))
  return { options, commands }
}

/** The whole command, read from its own help. */
export const saleproof = await readHelp([])

/** Finds an unknown command or option among the words after `saleproof`. */
export function problemWith(words: readonly string[], command: CommandHelp = saleproof): string | undefined {
  const [first, ...rest] = words
  const next = first === undefined ? undefined : command.commands.get(first)
  if (next) return problemWith(rest, next)
  if (command.commands.size && first !== undefined && /^\w/.test(first)) return `no command ${first}`
  const unknown = words.find(
    (word) => /^--\w/.test(word) && !command.options.includes(word.replace(/=.*/, '')),
  )
  return unknown && `no option ${unknown}`
}

interface Leaf {
  path: string
  options: readonly string[]
}

/** Every command without subcommands, or with options of its own. */
export function leaves(command: CommandHelp = saleproof, path: readonly string[] = []): Leaf[] {
  const { commands, options } = command
  const inner = [...commands].flatMap(([name, each]) => leaves(each, [...path, name]))
  const isLeaf = commands.size === 0 || (path.length > 0 && options.some((name) => name !== '--help'))
  return isLeaf ? [{ path: path.join(' '), options }, ...inner] : inner
}
