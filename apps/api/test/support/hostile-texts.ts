const fill = (part: string | ((index: number) => string), size: number) => {
  let text = ''
  for (let index = 0; text.length < size; index++) text += typeof part === 'string' ? part : part(index)
  return text.slice(0, size)
}
const member = (index: number) => `"${index.toString(36)}":1,`

/** Texts of a size that are made of many short, long, deep or repeated things. */
export const hostileTexts: Record<string, (size: number) => string> = {
  'short members': (size) => `{${fill(member, size - 8)}`.replace(/,[^,]*$/, '}'),
  'members of one name': (size) => `{${fill('"a":1,', size - 8)}`.replace(/,[^,]*$/, '}'),
  'a name of dots': (size) => `{"${fill('.', size - 6)}":1}`,
  'a list of numbers': (size) => `{"a":[${fill('1,', size - 10)}1]}`.replace(',1]', '1]'),
  'a list of objects': (size) => `[${fill('{},', size - 6)}`.replace(/,[^,]*$/, ']'),
  'deep lists': (size) => `{"a":${'['.repeat(size / 2 - 10)}${']'.repeat(size / 2 - 10)}}`,
  'deep objects': (size) => `${'{"a":'.repeat(size / 6 - 2)}1${'}'.repeat(size / 6 - 2)}`,
  brackets: (size) => fill('[', size),
  quotes: (size) => fill('"', size),
  escapes: (size) => `{"a":"${fill('\\u0061', size - 12)}`.replace(/\\u?\d{0,3}$/, '').concat('"}'),
  'percent signs': (size) => fill('%25', size),
  'pairs of a form': (size) => fill('a=1&', size),
  boundaries: (size) => fill('--b\r\n', size),
  commas: (size) => fill(',', size),
  spaces: (size) => `{"a":1${fill(' ', size - 8)}}`,
  lines: (size) => fill('{}\n', size),
}

/** One long text. */
export const plainText = (size: number) => `{"purchase_code":"${fill('x', size - 24)}"}`
