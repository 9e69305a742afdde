import { errorCode } from '../../error-code.ts'
import { DatabaseError, type KindsByReason, kindOfReason } from '../errors.ts'

// https://www.postgresql.org/docs/current/errcodes-appendix.html, and what the system says of connections.
const kinds: KindsByReason = [
  ['55P03', 'busy'],
  ['40001', 'busy'],
  ['40P01', 'busy'],
  ['57014', 'timeout'],
  ['25P', 'timeout'],
  ['53100', 'full'],
  ['53300', 'too_many_connections'],
  ['53', 'exhausted'],
  ['25006', 'standby'],
  ['58', 'io'],
  ['XX001', 'damaged'],
  ['XX002', 'damaged'],
  ['57P', 'connection_lost'],
  ['08', 'connection_lost'],
  ['28000', 'not_allowed'],
  ['28', 'wrong_password'],
  ['42501', 'no_permission'],
  ['42P01', 'schema'],
  ['42703', 'schema'],
  ['42883', 'schema'],
  ['3D000', 'no_database'],
  ['23505', 'conflict'],
  ['23503', 'conflict'],
  ['26000', 'stale_statement'],
  ['0A000', 'stale_statement'],
  ['ECONNREFUSED', 'not_listening'],
  ['ECONN', 'connection_lost'],
  ['EPIPE', 'connection_lost'],
  ['ENOTFOUND', 'unknown_host'],
  ['EAI_', 'unknown_host'],
  ['ETIMEDOUT', 'no_answer'],
  ['NO_CONNECTION', 'connection_lost'],
]

/** An error that the driver gave, which has no code for most of its own. */
export function fromPostgres(error: unknown): unknown {
  if (error instanceof DatabaseError || !(error instanceof Error)) return error
  const code = errorCode(error) || 'NO_CONNECTION'
  return new DatabaseError(kindOfReason(kinds, code), code, error)
}
