import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { TlsError } from './tls.ts'

const mechanism = 'SCRAM-SHA-256-PLUS'

/** What of the driver's connection hears how the server wants to know who asks. */
type Asked = EventEmitter & { stream: Socket }

/**
 * Ends a connection whose server does not take a password that is bound to it, before anything of the password is sent: the driver binds
 * where it is offered, and goes on without where it is not. Gives what tells that it was ended: an answer that came with the question is
 * still read.
 */
export function requireBinding(connection: Asked): () => TlsError | undefined {
  let refusal: TlsError | undefined
  let offered = false
  const refuse = () => {
    refusal = new TlsError('TLS_UNBOUND')
    connection.stream.destroy(refusal)
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
  return () => refusal
}
