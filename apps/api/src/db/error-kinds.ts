interface KindOfError {
  metric: string
  /** What happened, and what a person can do about it. Neither holds anything that was to be stored. */
  text: string
  advice: string
}

/**
 * What can go wrong with a database, whichever it is. To a request each of them is a 503: the result is unknown, never "invalid". The
 * order of the metric's labels is that of the metrics page.
 */
export const databaseErrors = {
  busy: {
    metric: 'busy',
    text: 'another command or an import is writing to the database',
    advice: 'try again when it is done',
  },
  full: {
    metric: 'full',
    text: 'the disk is full',
    advice: 'make room on the disk of the database and try again; nothing was changed',
  },
  not_writable: {
    metric: 'readonly',
    text: 'the database cannot be written to',
    advice: 'check the permissions of its file and folder',
  },
  read_only_disk: {
    metric: 'readonly',
    text: 'the disk of the database is read-only',
    advice: 'make it writable, or move the database',
  },
  standby: {
    metric: 'readonly',
    text: 'the database is read-only, a standby perhaps',
    advice: 'set DATABASE_URL to the primary',
  },
  cannot_open: {
    metric: 'cannot_open',
    text: 'the database cannot be opened',
    advice: 'check the permissions of its file and folder',
  },
  stopped: {
    metric: 'cannot_open',
    text: 'the database was stopped',
    advice: 'try again when it is back',
  },
  starting: {
    metric: 'cannot_open',
    text: 'the database is starting up or shutting down',
    advice: 'try again shortly',
  },
  connection_lost: {
    metric: 'cannot_open',
    text: 'the connection to the database was lost',
    advice: 'try again',
  },
  no_connection: {
    metric: 'cannot_open',
    text: 'there is no connection to the database',
    advice: 'check the database and the network',
  },
  no_answer: {
    metric: 'cannot_open',
    text: 'the database does not answer',
    advice: 'check the database and the network',
  },
  not_listening: {
    metric: 'cannot_open',
    text: 'nothing listens where DATABASE_URL says',
    advice: 'start the database, or correct the address',
  },
  unknown_host: {
    metric: 'cannot_open',
    text: 'there is no host of the name that DATABASE_URL gives',
    advice: 'correct it',
  },
  host_lookup: {
    metric: 'cannot_open',
    text: 'the name of the host in DATABASE_URL cannot be looked up',
    advice: 'check the network',
  },
  not_allowed: {
    metric: 'cannot_open',
    text: 'the database does not let in the user of DATABASE_URL from here, in this way',
    advice:
      'look at its pg_hba.conf, which may ask for TLS (sslmode) or a client certificate (sslcert, sslkey)',
  },
  wrong_password: {
    metric: 'cannot_open',
    text: 'the database refuses the user or the password of DATABASE_URL',
    advice: 'correct them',
  },
  no_database: {
    metric: 'cannot_open',
    text: 'there is no database of the name that DATABASE_URL gives',
    advice: 'create it, or correct the name',
  },
  no_permission: {
    metric: 'cannot_open',
    text: 'the user of DATABASE_URL may not do that',
    advice: 'make it the owner of the database',
  },
  tls_refused: {
    metric: 'cannot_open',
    text: 'the database has no TLS, which DATABASE_URL asks for',
    advice: 'switch it on there, or set sslmode=disable',
  },
  tls_untrusted: {
    metric: 'cannot_open',
    text: 'the certificate of the database is not signed by a trusted authority',
    advice: 'name the file with the certificate of its authority in sslrootcert',
  },
  tls_wrong_host: {
    metric: 'cannot_open',
    text: 'the certificate of the database is for another host than DATABASE_URL names',
    advice: 'use the name that it is for, or get a certificate for this name',
  },
  tls_expired: {
    metric: 'cannot_open',
    text: 'the certificate of the database has expired, or is not valid yet',
    advice: 'renew it, or set the clock',
  },
  tls_files: {
    metric: 'cannot_open',
    text: 'a file that sslrootcert, sslcert or sslkey of DATABASE_URL names cannot be read or holds something else, or certificate and key do not belong together',
    advice: 'correct them, or sslpassword',
  },
  tls_failed: {
    metric: 'cannot_open',
    text: 'the database and this machine do not agree on TLS',
    advice: 'look at its log, at its versions of TLS, and at sslcert',
  },
  io: {
    metric: 'io',
    text: 'the disk of the database reports an error',
    advice: 'check the disk; nothing was changed',
  },
  damaged: {
    metric: 'corrupt',
    text: 'the database is damaged',
    advice: 'restore a backup',
  },
  not_a_database: {
    metric: 'corrupt',
    text: 'the file that DATABASE_URL names is not a database of Saleproof',
    advice: 'correct DATABASE_URL',
  },
  timeout: {
    metric: 'timeout',
    text: 'the database took too long',
    advice: 'look at what else it is doing; nothing was changed',
  },
  transaction_timeout: {
    metric: 'timeout',
    text: 'a transaction took too long',
    advice: 'try again; nothing was changed',
  },
  too_many_connections: {
    metric: 'exhausted',
    text: 'the database takes no more connections',
    advice: 'raise its max_connections, or lower connection_limit',
  },
  exhausted: {
    metric: 'exhausted',
    text: 'the database has no memory or connections left',
    advice: 'look at what else it is doing',
  },
  schema: {
    metric: 'schema',
    text: 'the database lacks a table or column',
    advice: 'run "saleproof migrate"',
  },
  file_lost: {
    metric: 'lost',
    text: 'another program removed, replaced or wrote to the database file',
    advice: 'stop the service, put the file back or restore a backup, and start it',
  },
  other_deployment: {
    metric: 'lost',
    text: 'this is not the database of the deployment',
    advice: 'correct the address',
  },
  no_resources: {
    metric: 'other',
    text: 'the system has no threads, memory or open files left for the database',
    advice: 'raise its limits',
  },
  /** A row with the same unique values exists. */
  not_unique: {
    metric: 'other',
    text: 'the database has such a row already',
    advice: 'change what has to be unique',
  },
  /** A row that this one refers to is gone. */
  missing_reference: {
    metric: 'other',
    text: 'the database no longer has what a row refers to',
    advice: 'try again',
  },
  /** What was prepared on a connection is gone, or from before a migration. */
  stale_statement: {
    metric: 'other',
    text: 'the database was changed meanwhile',
    advice: 'try again',
  },
  other: {
    metric: 'other',
    text: 'the database reports an error',
    advice: 'look at its log',
  },
} satisfies Record<string, KindOfError>

export type DatabaseErrorKind = keyof typeof databaseErrors
