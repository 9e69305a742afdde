/**
 * What can go wrong with a database, whichever it is, below the label of the metric that counts it: what happened, and what a person can do
 * about it. Neither holds anything that was to be stored. To a request each is a 503: the result is unknown, never "invalid". The order of
 * the labels is that of the metrics page.
 */
const errorsByMetric = {
  busy: { busy: ['another command or an import is writing to the database', 'try again when it is done'] },
  full: {
    full: ['the disk is full', 'make room on the disk of the database and try again; nothing was changed'],
  },
  readonly: {
    not_writable: [
      'the database cannot be written to',
      'check the permissions of its file and folder, and whether its disk is read-only',
    ],
    standby: ['the database is read-only, a standby perhaps', 'set DATABASE_URL to the primary'],
  },
  cannot_open: {
    cannot_open: ['the database cannot be opened', 'check the permissions of its file and folder'],
    connection_lost: [
      'there is no connection to the database, or it was lost',
      'try again; if that fails, check whether the database runs, and the network',
    ],
    no_answer: ['the database does not answer', 'check the database and the network'],
    not_listening: ['nothing listens where DATABASE_URL says', 'start the database, or correct the address'],
    unknown_host: [
      'there is no host of the name that DATABASE_URL gives, or it cannot be looked up',
      'correct it, or check the network',
    ],
    not_allowed: [
      'the database does not let in the user of DATABASE_URL from here, in this way',
      'look at its pg_hba.conf, which may ask for TLS (sslmode) or a client certificate (sslcert, sslkey)',
    ],
    wrong_password: ['the database refuses the user or the password of DATABASE_URL', 'correct them'],
    no_database: [
      'there is no database of the name that DATABASE_URL gives',
      'create it, or correct the name',
    ],
    no_permission: ['the user of DATABASE_URL may not do that', 'make it the owner of the database'],
    tls_refused: [
      'the database has no TLS, and DATABASE_URL does not say sslmode=disable',
      'switch it on there, or say that in a network that you trust',
    ],
    tls_untrusted: [
      'the certificate of the database is not signed by a trusted authority',
      'name the file with the certificate of its authority in sslrootcert',
    ],
    tls_wrong_host: [
      'the certificate of the database is for another host than DATABASE_URL names',
      'use the name that it is for, or get a certificate for this name',
    ],
    tls_expired: [
      'the certificate of the database has expired, or is not valid yet',
      'renew it, or set the clock',
    ],
    tls_files: [
      'a file that sslrootcert, sslcert or sslkey of DATABASE_URL names cannot be read or holds something else, or certificate and key do not belong together',
      'correct them, or sslpassword',
    ],
    tls_failed: [
      'the database and this machine do not agree on TLS',
      'look at its log, at its versions of TLS, and at sslcert',
    ],
  },
  io: { io: ['the disk of the database reports an error', 'check the disk; nothing was changed'] },
  corrupt: {
    damaged: ['the database is damaged', 'restore a backup'],
    not_a_database: [
      'the file that DATABASE_URL names is not a database of Saleproof',
      'correct DATABASE_URL',
    ],
  },
  timeout: {
    timeout: ['the database took too long', 'look at what else it is doing; nothing was changed'],
  },
  exhausted: {
    too_many_connections: [
      'the database takes no more connections',
      'raise its max_connections, or lower connection_limit',
    ],
    exhausted: ['the database has no memory or connections left', 'look at what else it is doing'],
  },
  schema: { schema: ['the database lacks a table or column', 'run "saleproof migrate"'] },
  lost: {
    file_lost: [
      'another program removed, replaced or wrote to the database file',
      'stop the service, put the file back or restore a backup, and start it',
    ],
    other_deployment: ['this is not the database of the deployment', 'correct the address'],
  },
  other: {
    no_resources: [
      'the system has no threads, memory or open files left for the database',
      'raise its limits',
    ],
    /** A row with the same unique values exists, or one that this one refers to is gone. */
    conflict: [
      'the database has such a row already, or no longer has what it refers to',
      'try again, or change what has to be unique',
    ],
    /** What was prepared on a connection is gone, or from before a migration. */
    stale_statement: ['the database was changed meanwhile', 'try again'],
    other: ['the database reports an error', 'look at its log'],
  },
} satisfies Record<string, Record<string, readonly [text: string, advice: string]>>

type ByMetric = typeof errorsByMetric

export type DatabaseErrorKind = { [Metric in keyof ByMetric]: keyof ByMetric[Metric] }[keyof ByMetric]

interface KindOfError {
  metric: string
  text: string
  advice: string
}

const entries = Object.entries(errorsByMetric).flatMap(([metric, kinds]) =>
  Object.entries(kinds).map(([kind, [text, advice]]) => [kind, { metric, text, advice }]),
)

/** One for each kind. */
export const databaseErrors: Readonly<Record<DatabaseErrorKind, KindOfError>> = Object.fromEntries(entries)
