import { takes } from '../../config-readers.ts'

const modes = ['disable', 'require', 'verify-ca', 'verify-full'] as const

/** What the parameters of an address ask of TLS, which mean what they mean to PostgreSQL's own programs (libpq). */
export interface TlsParameters {
  mode: (typeof modes)[number]
  /** The file of the authorities that are trusted, or `system`; without it those that Node.js brings. */
  authorities: string | undefined
  /** The files that say who we are. */
  certificate: string | undefined
  key: string | undefined
  /** The passphrase of the key. */
  passphrase: string | undefined
}

const names = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword'] as const

/** What a driver would ignore silently, although the operator relies on it. */
const unknown = /^(?:ssl|requiressl$|require_auth$|channel_binding$)/

/** A server of this machine: what is sent to it no other machine can read. Without a host the driver takes that of PGHOST. */
const isLocal = ({ hostname, searchParams }: URL) =>
  /^(?:\/|%2f|localhost$|127\.[\d.]+$|\[?::1\]?$)/i.test(searchParams.getAll('host').at(-1) || hostname)

/** Takes the parameters of TLS out of an address: the driver reads some of them in another way. */
function takeOut({ searchParams }: URL): Partial<Record<(typeof names)[number], string>> {
  const given: Partial<Record<(typeof names)[number], string>> = {}
  for (const name of names) {
    const value = searchParams.get(name)
    if (value) given[name] = value
    searchParams.delete(name)
  }
  const other = [...searchParams.keys()].find((name) => unknown.test(name))
  if (other) takes(`no ${other}: of TLS it knows ${names.join(', ')}`)
  return given
}

/** Reads what an address says of TLS, and takes it out; undefined for connections without. Throws `InvalidValue`. */
export function takeTls(url: URL): TlsParameters | undefined {
  const { sslmode, sslrootcert, sslcert, sslkey, sslpassword } = takeOut(url)
  const fallback = isLocal(url) && !sslrootcert && !sslcert ? 'disable' : 'require'
  const mode =
    modes.find((each) => each === (sslmode ?? fallback)) ??
    takes(`one of ${modes.map((each) => `sslmode=${each}`).join(', ')}`)
  if (mode === 'disable') return undefined
  if (mode === 'verify-ca' && !sslrootcert) takes('sslrootcert=FILE with sslmode=verify-ca')
  if (sslrootcert === 'system' && mode !== 'verify-full') takes('sslmode=verify-full with sslrootcert=system')
  if (Boolean(sslcert) !== Boolean(sslkey)) takes('sslcert=FILE and sslkey=FILE together')
  return { mode, authorities: sslrootcert, certificate: sslcert, key: sslkey, passphrase: sslpassword }
}
