import { CommandError, type Terminal } from './terminal.ts'

const keys = { enter: /[\r\n]/, erase: /[\b\x7f]/, interrupt: '\x03', end: '\x04', clear: '\x15' } as const

const withoutLineEnd = (text: string) => text.replace(/\r?\n$/, '')

/** A password from a pipe or file: all of it, but for one line end. */
async function readAll(stdin: Terminal['stdin']): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stdin) {
    chunks.push(chunk)
    length += chunk.length
    if (length > 8192) throw new CommandError('the password on standard input is too long')
  }
  try {
    return withoutLineEnd(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch {
    throw new CommandError('the password on standard input is not valid UTF-8')
  }
}

/** What is typed into a terminal, character by character. */
async function* characters(stdin: Terminal['stdin']) {
  const decoder = new TextDecoder()
  for await (const chunk of stdin) yield* decoder.decode(chunk, { stream: true })
}

/** One line, as it is typed; undefined where the person gave up. */
async function typedLine(typed: AsyncIterator<string>): Promise<string | undefined> {
  let line: string[] = []
  for (;;) {
    const { value, done } = await typed.next()
    if (done || value === keys.interrupt || value === keys.end) return undefined
    if (keys.enter.test(value)) return line.join('')
    if (value === keys.clear) line = []
    else if (keys.erase.test(value)) line.pop()
    else line.push(value)
  }
}

async function ask({ stdin, stderr }: Terminal): Promise<string> {
  const typed = characters(stdin)
  stdin.setRawMode?.(true)
  try {
    const answers: string[] = []
    for (const question of ['Password: ', 'The same again: ']) {
      stderr.write(question)
      const answer = await typedLine(typed)
      stderr.write('\n')
      if (answer === undefined) throw new CommandError('no password was given: nothing was changed')
      answers.push(answer)
    }
    if (answers[0] !== answers[1]) throw new CommandError('the two are not the same: nothing was changed')
    return answers[0]!
  } finally {
    stdin.setRawMode?.(false)
    await typed.return(undefined)
  }
}

/** A new password: typed twice and unseen on a terminal, else from standard input. Never an argument, which every user of a machine can read. */
export const readPassword = (terminal: Terminal): Promise<string> =>
  terminal.stdin.isTTY ? ask(terminal) : readAll(terminal.stdin)
