const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes a value for an element, or for an attribute in double quotes. */
export const text = (value: string) =>
  value.replace(/[&<>"]/g, (character) => escapes[character] ?? character)
