/** What a command can tell of an error of the database. */
interface DatabaseErrorLike {
  code?: unknown
  cause?: Cause | undefined
  meta?: { driverAdapterError?: { cause?: Cause } }
}

/** What Prisma's adapter makes of an error; of those of the network it gives a name of its own instead of the code. */
interface Cause {
  originalCode?: unknown
  kind?: unknown
}

/** The database's own code: the driver gives it as it is, Prisma inside what it makes of it, and its adapter inside that alone. */
export function sqliteCode(error: unknown): string {
  const { code, meta, cause } = (error ?? {}) as DatabaseErrorLike
  const inner = meta?.driverAdapterError?.cause ?? cause
  return String(inner?.originalCode ?? inner?.kind ?? code ?? '')
}

/** Kinds of trouble that can be told apart, whatever the database is. */
export type DatabaseErrorKind = (typeof kinds)[number][1] | 'other'

// The first that the code begins with: SQLite's extended codes add what exactly happened.
const kinds = [
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_LOCKED', 'busy'],
  ['SQLITE_FULL', 'full'],
  ['SQLITE_READONLY', 'readonly'],
  ['SQLITE_CANTOPEN', 'cannot_open'],
  ['SQLITE_PERM', 'cannot_open'],
  ['SQLITE_IOERR', 'io'],
  ['SQLITE_CORRUPT', 'corrupt'],
  ['SQLITE_NOTADB', 'corrupt'],
  // PostgreSQL's: https://www.postgresql.org/docs/current/errcodes-appendix.html
  ['55P03', 'busy'],
  ['40001', 'busy'],
  ['40P01', 'busy'],
  ['57014', 'timeout'],
  ['25P03', 'timeout'],
  ['25P04', 'timeout'],
  ['53100', 'full'],
  ['53', 'exhausted'],
  ['25006', 'readonly'],
  ['58', 'io'],
  ['XX001', 'corrupt'],
  ['XX002', 'corrupt'],
  ['57P', 'cannot_open'],
  ['08', 'cannot_open'],
  ['28', 'cannot_open'],
  ['42501', 'cannot_open'],
  ['42P01', 'schema'],
  ['42703', 'schema'],
  ['42883', 'schema'],
  ['3D000', 'cannot_open'],
  ['ECONN', 'cannot_open'],
  ['ENOTFOUND', 'cannot_open'],
  ['EAI_', 'cannot_open'],
  ['ETIMEDOUT', 'cannot_open'],
  ['NO_CONNECTION', 'cannot_open'],
  ['EPIPE', 'cannot_open'],
  ['DatabaseNotReachable', 'cannot_open'],
  ['ConnectionClosed', 'cannot_open'],
  ['SocketTimeout', 'cannot_open'],
  ['TlsConnectionError', 'cannot_open'],
  ['TLS_', 'cannot_open'],
  // Prisma's: it waited too long for a connection, or for its transaction to begin or end.
  ['P2024', 'exhausted'],
  ['P2028', 'timeout'],
  ['DATABASE_LOST', 'lost'],
  ['OTHER_DEPLOYMENT', 'lost'],
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EROFS', 'readonly'],
  ['EACCES', 'cannot_open'],
  ['EIO', 'io'],
] as const

export const databaseErrorKinds: readonly DatabaseErrorKind[] = [
  ...new Set(kinds.map(([, kind]) => kind)),
  'other',
]

/** The kind of an error of the database. */
export function databaseErrorKind(error: unknown): DatabaseErrorKind {
  const code = sqliteCode(error)
  return kinds.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'other'
}

// The first that the code begins with: SQLite's extended codes add what exactly happened.
const texts: readonly (readonly [prefix: string, text: string])[] = [
  ['SQLITE_BUSY', 'another command or an import is writing to the database: try again when it is done'],
  ['SQLITE_LOCKED', 'another command or an import is writing to the database: try again when it is done'],
  ['SQLITE_FULL', 'the disk is full: make room and try again; nothing was changed'],
  ['SQLITE_READONLY', 'the database cannot be written to: check the permissions of its file and folder'],
  ['SQLITE_CANTOPEN', 'the database cannot be opened: check the permissions of its file and folder'],
  ['SQLITE_PERM', 'the database cannot be opened: check the permissions of its file and folder'],
  ['SQLITE_IOERR', 'the disk of the database reports an error: nothing was changed'],
  ['SQLITE_CORRUPT', 'the database file is damaged: put back a copy of it'],
  ['SQLITE_NOTADB', 'the file that DATABASE_URL names is not a database of Saleproof'],
  ['ENOSPC', 'the disk is full: make room and try again; nothing was changed'],
  ['EROFS', 'the disk of the database is read-only'],
  ['55P03', 'another command or an import is writing to the database: try again when it is done'],
  ['57014', 'the database took too long: nothing was changed; look at what else it is doing'],
  ['57P01', 'the database was stopped meanwhile: try again when it is back'],
  ['57P03', 'the database is starting up or shutting down: try again in a moment'],
  ['53100', 'the disk of the database is full: make room and try again; nothing was changed'],
  ['53300', 'the database takes no more connections: raise its max_connections, or lower connection_limit'],
  ['25006', 'the database is read-only, a standby perhaps: set DATABASE_URL to the primary'],
  ['08', 'the connection to the database was lost: try again'],
  [
    '28000',
    'the database does not let in the user of DATABASE_URL from here, in this way: look at its pg_hba.conf, which may ask for TLS (sslmode) or a client certificate (sslcert, sslkey)',
  ],
  ['28', 'the database refuses the user or the password of DATABASE_URL'],
  ['3D000', 'there is no database of the name that DATABASE_URL gives: make it, or correct the name'],
  ['42501', 'the user of DATABASE_URL may not do that: make it the owner of the database'],
  ['ECONNREFUSED', 'nothing listens where DATABASE_URL says: start the database, or correct the address'],
  ['ECONNRESET', 'the connection to the database was lost: try again'],
  ['EPIPE', 'the connection to the database was lost: try again'],
  ['ConnectionClosed', 'the connection to the database was lost: try again'],
  [
    'DatabaseNotReachable',
    'nothing listens where DATABASE_URL says: start the database, or correct the address',
  ],
  ['SocketTimeout', 'the database does not answer: look at it, and at the network'],
  ['TlsConnectionError', 'the database cannot be reached with TLS: correct sslmode or the certificates'],
  [
    'TLS_REFUSED',
    'the database has no TLS, which DATABASE_URL asks for: switch it on there, or correct sslmode',
  ],
  [
    'TLS_UNTRUSTED',
    'the certificate of the database is of no authority that is trusted: name the file with the certificate of its authority in sslrootcert',
  ],
  [
    'TLS_WRONG_HOST',
    'the certificate of the database is for another host than DATABASE_URL names: give the name that it is for, or get one for this name',
  ],
  [
    'TLS_EXPIRED',
    'the certificate of the database has expired, or is not valid yet: renew it, or set the clock',
  ],
  [
    'TLS_AUTHORITIES',
    'the file that sslrootcert of DATABASE_URL names cannot be read, or holds no certificate: correct it',
  ],
  [
    'TLS_KEY',
    'the files that sslcert and sslkey of DATABASE_URL name cannot be read, or do not fit each other: correct them, or sslpassword',
  ],
  [
    'TLS_UNBOUND',
    'the database does not bind passwords to connections, which channel_binding=require asks for: leave that out, or give the role a SCRAM password',
  ],
  [
    'TLS_FAILED',
    'the database and this machine do not agree on TLS: look at its log, at its versions of TLS, and at sslcert and sslnegotiation',
  ],
  ['ETIMEDOUT', 'the database does not answer: look at it, and at the network'],
  ['NO_CONNECTION', 'there is no connection to the database: look at it, and at the network'],
  ['ENOTFOUND', 'there is no host of the name that DATABASE_URL gives: correct it'],
  ['EAI_', 'the name of the host in DATABASE_URL cannot be looked up: look at the network'],
]

/** One line for a person about an error of the database or its disk, without anything that was to be stored. */
export function describeDatabaseError(error: unknown): string | undefined {
  const code = sqliteCode(error)
  const text = texts.find(([prefix]) => code.startsWith(prefix))?.[1]
  return text && `${text} (${code})`
}
