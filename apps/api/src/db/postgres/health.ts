import type { KeyVault } from '../../crypto/key-vault.ts'
import { withTimeout } from '../../rate-limit/with-timeout.ts'
import { MigrationError } from '../migration-error.ts'
import type { Migration } from '../migration-history.ts'
import { type Health, unknownHealth } from '../sqlite/health.ts'
import { readDeployment } from './deployment.ts'
import { appliedMigrations } from './migrate.ts'
import { requirePrimary } from './primary.ts'
import type { Queryable } from './queryable.ts'

interface Expected {
  known: readonly Migration[]
  vault: KeyVault
}

const problems: Readonly<Partial<Record<MigrationError['problem'], Health['migrations']>>> = {
  newer: 'newer',
  edited: 'edited',
  failed: 'unfinished',
}

async function stateOfMigrations(
  database: Queryable,
  known: readonly Migration[],
): Promise<Health['migrations']> {
  try {
    const applied = await appliedMigrations(database, known)
    return applied.length < known.length ? 'pending' : 'ok'
  } catch (error) {
    if (error instanceof MigrationError) return problems[error.problem] ?? 'unknown'
    throw error
  }
}

/** Lock not available; canceled because it took too long. */
const slow = new Set(['55P03', '57014'])

/** Whoever asks whether the service is ready has little patience. */
const withinMs = 2000

async function ask(database: Queryable, { known, vault }: Expected): Promise<Health> {
  await requirePrimary(database)
  const deployment = await readDeployment(database)
  if (!deployment) return unknownHealth('failed')
  return {
    database: 'ok',
    migrations: await stateOfMigrations(database, known),
    secret: deployment.secretCheck === vault.check() ? 'ok' : 'wrong',
  }
}

export async function checkHealth(database: Queryable, expected: Expected): Promise<Health> {
  try {
    return await withTimeout(ask(database, expected), withinMs)
  } catch (error) {
    return unknownHealth(slow.has(String((error as { code?: unknown }).code)) ? 'locked' : 'failed')
  }
}
