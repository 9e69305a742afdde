import { existsSync, readFileSync, writeFileSync } from 'node:fs'

// One input a line, as a JSON string in which each character is a byte, so that changes can be reviewed.

/** The inputs of a file that need not exist. */
export function readInputs(file: string): Buffer[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => Buffer.from(JSON.parse(line), 'latin1'))
}

export const formatInput = (input: Buffer) => JSON.stringify(input.toString('latin1'))

export const writeInputs = (file: string, inputs: readonly Buffer[]) =>
  writeFileSync(file, inputs.map((input) => `${formatInput(input)}\n`).join(''))
