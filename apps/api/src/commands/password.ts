import { createInterface } from 'node:readline'
import { cleanPastedCode } from '@saleproof/schema'
import { CommandError, readAll, type Terminal } from './terminal.ts'

const maxLength = 8192

/** Reads a secret from a pipe or file: everything but a final line break. */
async function readFromPipe(stdin: Terminal['stdin'], name: string): Promise<string> {
  const bytes = await readAll(stdin, maxLength)
  if (!bytes) throw new CommandError(`the ${name} on standard input is too long`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '')
  } catch {
    throw new CommandError(`the ${name} on standard input is not valid UTF-8`)
  }
}

type Ask = (question: string) => Promise<string>

/** Without an output, readline edits the line and shows nothing of it. */
async function prompt(
  { stdin, stderr }: Terminal,
  name: string,
  read: (ask: Ask) => Promise<string>,
): Promise<string> {
  const readline = createInterface({ input: stdin, terminal: true, historySize: 0 })
  const lines = readline[Symbol.asyncIterator]()
  async function ask(question: string): Promise<string> {
    stderr.write(question)
    const { value, done } = await lines.next()
    stderr.write('\n')
    if (done) throw new CommandError(`no ${name} was given: nothing was changed`)
    return value
  }
  try {
    return await read(ask)
  } finally {
    readline.close()
  }
}

async function askTwice(ask: Ask): Promise<string> {
  const password = await ask('Password: ')
  if ((await ask('Repeat the password: ')) !== password)
    throw new CommandError('the passwords differ: nothing was changed')
  return password
}

/** Reads a new password from a prompt or a pipe. Never from an argument, which every user of the machine can see. */
export const readPassword = (terminal: Terminal): Promise<string> =>
  terminal.stdin.isTTY ? prompt(terminal, 'password', askTwice) : readFromPipe(terminal.stdin, 'password')

/** Reads a purchase code like a password, but once. */
export const readCode = async (terminal: Terminal): Promise<string> =>
  cleanPastedCode(
    terminal.stdin.isTTY
      ? await prompt(terminal, 'purchase code', (ask) => ask('Purchase code: '))
      : await readFromPipe(terminal.stdin, 'purchase code'),
  )
