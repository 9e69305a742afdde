import { randomBytes } from 'node:crypto'

/** A value that must not be where it does not belong. */
export interface Canary {
  name: string
  value: string
}

/** A word that stands nowhere by chance. */
export const randomWord = (length = 24) =>
  randomBytes(length)
    .toString('base64url')
    .replace(/[^0-9A-Za-z]/g, 'q')
    .slice(0, length)

const hex = (bytes: Buffer) => bytes.toString('hex')

/** What base64 makes of a text wherever in a longer one it stands: the characters that depend on it alone. */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value)
  return [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes])
    const first = Math.ceil((offset * 8) / 6)
    const last = Math.floor((padded.length * 8) / 6)
    return [padded.toString('base64'), padded.toString('base64url')].map((text) => text.slice(first, last))
  })
}

/** Parts that are long enough to be no accident: what is cut off or broken over pages is found by them. */
const pieces = (value: string, length = 14, step = 4) =>
  Array.from({ length: Math.max(0, Math.ceil((value.length - length) / step)) }, (_, index) =>
    value.slice(index * step, index * step + length),
  )

const each = (value: string, form: (code: number) => string) =>
  [...value].map((character) => form(character.charCodeAt(0))).join('')

/** How a value looks by whichever way it came. Those of the first list are looked for in any case of their letters. */
function formsOf(value: string) {
  const other = (...forms: string[]) => forms.filter((form) => form !== value)
  const anyCase = {
    plain: [value, ...pieces(value)],
    percent: other(
      encodeURIComponent(value),
      each(value, (code) => `%${code.toString(16).padStart(2, '0')}`),
    ),
    json: other(
      JSON.stringify(value).slice(1, -1),
      each(value, (code) => `\\u${code.toString(16).padStart(4, '0')}`),
    ),
    html: other(
      value.replaceAll('@', '&#64;'),
      each(value, (code) => `&#${code};`),
    ),
    hex: [hex(Buffer.from(value))],
  }
  return {
    anyCase,
    exact: { base64: base64Forms(value), utf16: [Buffer.from(value, 'utf16le').toString('latin1')] },
  }
}

/** The canaries that are in some bytes, each with the form in which it is there. */
export function scan(bytes: Uint8Array | string, canaries: readonly Canary[]): string[] {
  const text = Buffer.from(bytes as Uint8Array).toString('latin1')
  const lower = text.toLowerCase()
  return canaries.flatMap(({ name, value }) => {
    const { anyCase, exact } = formsOf(value)
    const found = [
      ...Object.entries(anyCase).filter(([, forms]) =>
        forms.some((form) => lower.includes(form.toLowerCase())),
      ),
      ...Object.entries(exact).filter(([, forms]) => forms.some((form) => text.includes(form))),
    ]
    return found.map(([form]) => `${name} (${form})`)
  })
}
