type Name = 'language' | 'theme' | 'workspace'

/** Preferences of this browser. Where storage is blocked, nothing is remembered and nothing fails. */
export const preferences = {
  get(name: Name): string | null {
    try {
      return localStorage.getItem(`saleproof.${name}`)
    } catch {
      return null
    }
  },
  set(name: Name, value: string | null): void {
    try {
      if (value === null) localStorage.removeItem(`saleproof.${name}`)
      else localStorage.setItem(`saleproof.${name}`, value)
    } catch {
      // See above.
    }
  },
}
