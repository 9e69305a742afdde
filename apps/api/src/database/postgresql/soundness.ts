import type { KeyVault } from '../../crypto/key-vault.ts'
import { MigrationError } from '../migration-error.ts'
import type { Migration } from '../migration-history.ts'
import { type Soundness, unknownBut } from '../soundness.ts'
import { readDeployment } from './deployment.ts'
import { appliedMigrations } from './migrate.ts'
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

export async function soundnessOf(database: Queryable, { known, vault }: Expected): Promise<Soundness> {
  try {
    const deployment = await readDeployment(database)
    if (!deployment) return unknownBut('failed')
    return {
      database: 'ok',
      migrations: await stateOfMigrations(database, known),
      secret: deployment.secretCheck === vault.check() ? 'ok' : 'wrong',
    }
  } catch (error) {
    return unknownBut(slow.has(String((error as { code?: unknown }).code)) ? 'locked' : 'failed')
  }
}
