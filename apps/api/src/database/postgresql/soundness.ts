import type { KeyVault } from '../../crypto/key-vault.ts'
import { inTime } from '../../limits/in-time.ts'
import { MigrationError } from '../migration-error.ts'
import type { Migration } from '../migration-history.ts'
import { type Soundness, unknownBut } from '../soundness.ts'
import { readDeployment } from './deployment.ts'
import { appliedMigrations } from './migrate.ts'
import { requirePrimary } from './primary.ts'
import type { Queryable } from './queryable.ts'

interface Expected {
  known: readonly Migration[]
  vault: KeyVault
}

const problems: Readonly<Partial<Record<MigrationError['problem'], Soundness['migrations']>>> = {
  newer: 'newer',
  edited: 'edited',
  failed: 'unfinished',
}

async function stateOfMigrations(
  database: Queryable,
  known: readonly Migration[],
): Promise<Soundness['migrations']> {
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

async function ask(database: Queryable, { known, vault }: Expected): Promise<Soundness> {
  await requirePrimary(database)
  const deployment = await readDeployment(database)
  if (!deployment) return unknownBut('failed')
  return {
    database: 'ok',
    migrations: await stateOfMigrations(database, known),
    secret: deployment.secretCheck === vault.check() ? 'ok' : 'wrong',
  }
}

export async function soundnessOf(database: Queryable, expected: Expected): Promise<Soundness> {
  try {
    return await inTime(ask(database, expected), withinMs)
  } catch (error) {
    return unknownBut(slow.has(String((error as { code?: unknown }).code)) ? 'locked' : 'failed')
  }
}
