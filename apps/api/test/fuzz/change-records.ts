import type { Random } from '@saleproof/fuzz'

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

type Holder = Json[] | { [name: string]: Json }

/** Every object and list in a value, with the names or numbers of what is in it. */
function placesIn(value: Json): [holder: Holder, name: string][] {
  if (typeof value !== 'object' || value === null) return []
  const own = Object.keys(value).map((name) => [value, name] as [Holder, string])
  return [...own, ...Object.values(value).flatMap(placesIn)]
}

function changeRecord(text: string, random: Random): string {
  let record: Json
  try {
    record = JSON.parse(text)
  } catch {
    return text
  }
  const places = placesIn(record)
  if (places.length === 0) return JSON.stringify(random.pick(values))
  const [holder, name] = random.pick(places)
  const members = holder as { [name: string]: Json }
  const another = random.pick(places)
  const ways = [
    () => delete members[name],
    () => (members[name] = random.pick(values)),
    () => (members[name] = (another[0] as typeof members)[another[1]]!),
    () => (members[random.chance(0.5) ? another[1] : 'extra'] = random.pick(values)),
    () => (members[name] = [members[name]!]),
    () => (members[name] = String(members[name])),
  ]
  random.pick(ways)()
  try {
    return JSON.stringify(record)
  } catch {
    // It holds itself now.
    return text
  }
}

/** Changes one record of a file, or the order and number of its lines. */
export function changeRecords(input: Buffer, random: Random): Buffer {
  const lines = input.toString().split('\n')
  const at = random.below(lines.length)
  const ways = [
    () => lines.splice(at, 1, changeRecord(lines[at]!, random)),
    () => lines.splice(at, 1, changeRecord(changeRecord(lines[at]!, random), random)),
    () => lines.splice(at, 1),
    () => lines.splice(at, 0, lines[at]!),
    () => lines.splice(random.below(lines.length), 0, changeRecord(lines[at]!, random)),
    () => lines.push(...lines.splice(at, 1)),
  ]
  random.pick([...ways.slice(0, 2), ...ways])()
  return Buffer.from(lines.join(random.chance(0.95) ? '\n' : '\r\n'))
}
