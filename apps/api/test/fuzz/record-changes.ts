import fc from 'fast-check'
import { type Change, fromBytes } from './fuzz.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const values: readonly Json[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  1e21,
  9007199254740992,
  101,
  '',
  ' ',
  '0',
  '-0',
  '1e5',
  '19.999',
  'x',
  '\u0000',
  '\ud800',
  '\ufeff',
  'é',
  'e\u0301',
  'x'.repeat(300),
  'a\nb',
  '__proto__',
  'ada',
  'bob',
  'studio',
  '2024-02-30T00:00:00Z',
  '2024-04-27T12:00:00+25:00',
  '0000-01-01T00:00:00Z',
  '+010000-01-01T00:00:00Z',
  'https://example.com/x',
  'javascript:alert(1)',
  'http://',
  'USD',
  'KWD',
  'JPY',
  'XXX',
  'active',
  'refunded',
  'AAAA-BBBB-CCCC',
  'a-key-that-was-imported',
  '$argon2id$v=19$m=1,t=1,p=1$AAAA$AAAA',
  [],
  {},
  [[]],
  { a: null },
]

type Fields = { [name: string]: Json }

/** Every object and list in a value, with the names or numbers of what is in it. */
function placesIn(value: Json): [holder: Fields, name: string][] {
  if (typeof value !== 'object' || value === null) return []
  const own = Object.keys(value).map((name) => [value, name] as [Fields, string])
  return [...own, ...Object.values(value).flatMap(placesIn)]
}

function parse(line: string): Json | undefined {
  try {
    return JSON.parse(Buffer.from(line, 'latin1').toString())
  } catch {
    return undefined
  }
}

/** Changes a field of the record of a line. */
const fieldChange = fc
  .record({
    place: fc.nat(),
    other: fc.nat(),
    value: fc.constantFrom(...values),
    way: fc.constantFrom('delete', 'set', 'copy', 'add', 'wrap', 'quote'),
  })
  .map(({ place, other, value, way }) => (line: string) => {
    const record = parse(line)
    const places = record === undefined ? [] : placesIn(record)
    if (places.length === 0) return fromBytes(Buffer.from(JSON.stringify(value)))
    const [fields, name] = places[place % places.length]!
    const [otherFields, otherName] = places[other % places.length]!
    if (way === 'delete') delete fields[name]
    else if (way === 'set') fields[name] = value
    else if (way === 'copy') fields[name] = structuredClone(otherFields[otherName]!)
    else if (way === 'add') fields[otherName] = value
    else if (way === 'wrap') fields[name] = [fields[name]!]
    else fields[name] = String(fields[name])
    return fromBytes(Buffer.from(JSON.stringify(record)))
  })

/** Changes the record of a line, or removes, repeats or moves the line. */
export const recordChange: fc.Arbitrary<Change> = fc
  .record({
    at: fc.nat(),
    to: fc.nat(),
    way: fc.constantFrom('change', 'change', 'change', 'remove', 'repeat', 'move'),
    changes: fc.array(fieldChange, { minLength: 1, maxLength: 2 }),
    newline: fc.constantFrom('\n', '\n', '\n', '\r\n'),
  })
  .map(({ at, to, way, changes, newline }) => (input) => {
    const lines = input.split('\n')
    const index = at % lines.length
    const [line = ''] = lines.splice(index, 1)
    if (way === 'change')
      lines.splice(
        index,
        0,
        changes.reduce((text, change) => change(text), line),
      )
    if (way === 'repeat') lines.splice(index, 0, line)
    if (way === 'repeat' || way === 'move') lines.splice(to % (lines.length + 1), 0, line)
    return lines.join(newline)
  })
