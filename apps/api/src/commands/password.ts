import { createInterface } from 'node:readline'
import { CommandError, readAll, type Terminal } from './terminal.ts'

const maxLength = 8192

/** Reads a password from a pipe or file: everything but a final line break. */
async function readFromPipe(stdin: Terminal['stdin']): Promise<string> {
  const bytes = await readAll(stdin, maxLength)
  if (!bytes) throw new CommandError('the password on standard input is too long')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '')
  } catch {
    throw new CommandError('the password on standard input is not valid UTF-8')
  }
}

/** Asks twice. Without an output, readline edits the line and shows nothing of it. */
async function prompt({ stdin, stderr }: Terminal): Promise<string> {
  const readline = createInterface({ input: stdin, terminal: true, historySize: 0 })
  const lines = readline[Symbol.asyncIterator]()
  async function ask(question: string): Promise<string> {
    stderr.write(question)
    const { value, done } = await lines.next()
    stderr.write('\n')
    if (done) throw new CommandError('no password was given: nothing was changed')
    return value
  }
  try {
    const password = await ask('Password: ')
    if ((await ask('Repeat the password: ')) !== password)
      throw new CommandError('the passwords differ: nothing was changed')
    return password
  } finally {
    readline.close()
  }
}

/** Reads a new password from a prompt or a pipe. Never from an argument, which every user of the machine can see. */
export const readPassword = (terminal: Terminal): Promise<string> =>
  terminal.stdin.isTTY ? prompt(terminal) : readFromPipe(terminal.stdin)
