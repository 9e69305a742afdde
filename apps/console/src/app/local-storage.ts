/** What is remembered in this browser. A browser that allows no storage remembers nothing, and that is no failure. */
export const preferences = {
  get(name: 'language' | 'theme' | 'workspace'): string | null {
    try {
      return localStorage.getItem(`saleproof.${name}`)
    } catch {
      return null
    }
  },
  set(name: 'language' | 'theme' | 'workspace', value: string | null): void {
    try {
      if (value === null) localStorage.removeItem(`saleproof.${name}`)
      else localStorage.setItem(`saleproof.${name}`, value)
    } catch {
      // See above.
    }
  },
}
