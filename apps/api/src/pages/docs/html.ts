const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A value as the text of an element, or of an attribute in double quotes. */
export const text = (value: string) =>
  value.replace(/[&<>"]/g, (character) => escapes[character] ?? character)
