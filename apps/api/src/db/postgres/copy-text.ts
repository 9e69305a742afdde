export type CopyValue = string | number | Uint8Array | null

const special = /[\\\b\f\n\r\t\v]/g
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}

function field(value: CopyValue): string {
  if (value === null) return '\\N'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string')
    return special.test(value) ? value.replace(special, (text) => escapes[text] ?? text) : value
  return `\\\\x${Buffer.from(value).toString('hex')}`
}

/** A row in the text form of COPY: https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.3.55.9.2 */
export const copyLine = (values: readonly CopyValue[]) => `${values.map(field).join('\t')}\n`
