import type { ClientBase } from 'pg'
import { DatabaseError, databaseErrors } from '../../db/errors.ts'
import { readAddress } from '../../db/postgres/address.ts'
import { withConnection } from '../../db/postgres/connection.ts'
import { readDeployment, requireCopy } from '../../db/postgres/deployment.ts'
import type { Queryable } from '../../db/postgres/queryable.ts'
import { errorCode, type Finding, findingsOf } from './finding.ts'

const limits = { lockTimeoutMs: 5000, timeoutMs: 5000 }

function reasonOf(error: unknown): string {
  const code = errorCode(error)
  if (!(error instanceof DatabaseError) || error.kind === 'other') return code
  if (error.kind === 'other_deployment') return 'it is no copy of this database'
  // Without the advice, which is about DATABASE_URL.
  return `${databaseErrors[error.kind].text.replaceAll('DATABASE_URL', 'its address')} (${code})`
}

/** A replica that cannot be read fails no request, because the primary answers. */
export async function checkReplicas(primary: Queryable, urls: readonly string[]): Promise<Finding[]> {
  const identity = (await readDeployment(primary))?.identity
  if (identity === undefined || urls.length === 0) return []
  const { warning, all } = findingsOf('replicas')
  const check = (client: ClientBase) => requireCopy(client, identity)
  for (const [index, url] of urls.entries()) {
    try {
      await withConnection(readAddress(url), { ...limits, check }, async () => {})
    } catch (error) {
      const finding = `the primary answers for replica ${index + 1}: ${reasonOf(error)}`
      warning(finding, 'repair that replica, or correct DATABASE_REPLICA_URLS')
    }
  }
  return all(`replicas that answer as copies of this database: ${urls.length}`)
}
