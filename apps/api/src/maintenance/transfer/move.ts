import { UserError } from '../../user-error.ts'
import { createDigest, type Digest, type Lines } from './lines.ts'
import type { Table } from './tables.ts'

export interface Moved extends Digest {
  table: string
}

export interface Transferred {
  moved: readonly Moved[]
  /** What is wrong with the audit log, which was moved unchanged. */
  auditProblem: string | undefined
}

interface Sides {
  from: (table: Table) => Lines
  load: (table: Table, lines: Lines) => Promise<void>
  to: (table: Table) => Lines
}

async function moveTable(table: Table, { from, load, to }: Sides): Promise<Moved> {
  const sent = createDigest()
  await load(table, sent.passing(from(table)))
  const [one, other] = [sent.digest(), await createDigest().all(to(table))]
  if (one.sha256 !== other.sha256)
    throw new UserError(
      `the rows of "${table.name}" would not be the same (${one.rows} and ${other.rows}, SHA-256 ${one.sha256} and ${other.sha256}): nothing was transferred`,
    )
  return { table: table.name, ...one }
}

/** Moves all rows, and verifies them by reading them from the target. */
export async function moveTables(tables: readonly Table[], sides: Sides): Promise<Moved[]> {
  const moved: Moved[] = []
  for (const table of tables) moved.push(await moveTable(table, sides))
  return moved
}
