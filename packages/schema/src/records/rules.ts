/** What strings have to look like. Without flags: JSON Schema, which is made from these, knows none. */
export const patterns = {
  link: /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s/?#]/,
  timestamp: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/,
  currency: /^[A-Z]{3}$/,
  version: /^\d+\.\d+\.\d+$/,
}

/** Whether every database and every JSON reader takes a string: well-formed Unicode without U+0000. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
