import type { Connection } from 'pg'
import type { DatabaseError } from '../errors.ts'
import { tlsError } from './tls.ts'

const mechanism = 'SCRAM-SHA-256-PLUS'

/**
 * Ends a connection whose server does not bind the password to it, before any of the password is sent: the driver binds where that is
 * offered, and continues without where it is not. Returns a function that says whether it ended the connection: a response that arrived with the offer is read.
 */
export function requireBinding(connection: Connection): () => DatabaseError | undefined {
  let rejection: DatabaseError | undefined
  let offered = false
  const refuse = () => {
    rejection = tlsError('tls_unbound')
    connection.stream.destroy(rejection)
  }
  connection.on('authenticationSASL', ({ mechanisms }: { mechanisms: readonly string[] }) => {
    offered = mechanisms.includes(mechanism)
    if (!offered) refuse()
  })
  for (const other of ['authenticationCleartextPassword', 'authenticationMD5Password'])
    connection.on(other, refuse)
  connection.on('authenticationOk', () => {
    if (!offered) refuse()
  })
  return () => rejection
}
