/** SHA-256 in hexadecimal. `pepper` makes the hash of a short code useless to who reads the store. */
export async function hashCode(code: string, pepper: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${pepper}\n${code}`))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
