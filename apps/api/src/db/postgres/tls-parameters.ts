import { oneOf, takes } from '../../config-readers.ts'

const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const

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
  /** Whether TLS begins at once, without asking the server before. */
  direct: boolean
  /** Whether the password is bound to this connection, so that an attacker in between cannot use it. */
  bound: boolean
}

const names = ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword', 'sslnegotiation'] as const
const binding = 'channel_binding'

/** What a driver would ignore silently, although the operator relies on it. */
const unknown = /^(?:ssl|requiressl$|require_auth$)/

type Given = Partial<Record<(typeof names)[number] | typeof binding, string>>

/** Takes the parameters of TLS out of an address: the driver reads some of them in another way. */
function takeOut({ searchParams }: URL): Given {
  const given: Given = {}
  for (const name of [...names, binding] as const) {
    const value = searchParams.get(name)
    // `uselibpqcompat` asks the driver for what is so here anyway.
    if (value) given[name] = value
    searchParams.delete(name)
  }
  const other = [...searchParams.keys()].find((name) => unknown.test(name))
  if (other) takes(`no ${other}: of TLS it knows ${[...names.slice(1), binding].join(', ')}`)
  return given
}

function readMode({ ssl, sslmode, sslrootcert }: Given): TlsParameters['mode'] {
  if (sslmode)
    return (
      modes.find((mode) => mode === sslmode) ??
      takes(`one of ${modes.map((mode) => `sslmode=${mode}`).join(', ')}`)
    )
  // What JDBC writes.
  if (ssl) return ssl === 'true' ? 'require' : takes('sslmode=… instead of ssl=…')
  return sslrootcert === 'system' ? 'verify-full' : 'prefer'
}

/** Reads what an address says of TLS, and takes it out. Throws `InvalidValue`. */
export function takeTls(url: URL): TlsParameters {
  const given = takeOut(url)
  const {
    sslrootcert,
    sslcert,
    sslkey,
    sslpassword,
    sslnegotiation = 'postgres',
    channel_binding = 'prefer',
  } = given
  const mode = readMode(given)
  const weak = mode === 'disable' || mode === 'allow' || mode === 'prefer'
  if (mode === 'verify-ca' && !sslrootcert) takes('sslrootcert=FILE with sslmode=verify-ca')
  if (sslrootcert === 'system' && mode !== 'verify-full') takes('sslmode=verify-full with sslrootcert=system')
  if (Boolean(sslcert) !== Boolean(sslkey)) takes('sslcert=FILE and sslkey=FILE together')
  const direct = oneOf(['postgres', 'direct'])(sslnegotiation) === 'direct'
  if (direct && weak) takes('sslmode=require, verify-ca or verify-full with sslnegotiation=direct')
  const bound = oneOf(['disable', 'prefer', 'require'])(channel_binding) === 'require'
  if (bound && weak) takes('sslmode=require, verify-ca or verify-full with channel_binding=require')
  return {
    mode,
    authorities: sslrootcert,
    certificate: sslcert,
    key: sslkey,
    passphrase: sslpassword,
    direct,
    bound,
  }
}
