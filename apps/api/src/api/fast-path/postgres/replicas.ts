import { withTimeout } from '../../../with-timeout.ts'
import type { Pipeline } from './pipeline.ts'
import type { Query, RawRow } from './raw-connection.ts'

/** So long a copy is left alone that did not have what the primary has, and one that did not answer. */
const rest = { late: 1000, silent: 5000 }

/** Then the primary is asked, and there is time left for that. */
const withinMs = 500

/**
 * Copies of the database that follow the primary, each asked in its turn. What they say counts only where it is of the catalogue that the
 * primary has at that time: its number is never the same for two states of the items.
 */
export function createReplicas(pipelines: readonly Pipeline[]) {
  const copies = pipelines.map((pipeline) => ({ pipeline, restsUntil: 0 }))
  let turn = 0

  function next() {
    for (const _ of copies) {
      // The loop is not entered without a copy.
      const copy = copies[turn++ % copies.length]!
      if (copy.restsUntil <= performance.now()) return copy
    }
    return undefined
  }

  return {
    /** The rows of a copy that is up to date, which its first row shows; undefined where none is known to be. */
    async ask(question: Query, isCurrent: (row: RawRow) => boolean): Promise<readonly RawRow[] | undefined> {
      const copy = next()
      if (!copy) return undefined
      const leave = (milliseconds: number) => {
        copy.restsUntil = performance.now() + milliseconds
      }
      try {
        const rows = await withTimeout(copy.pipeline.query(question), withinMs)
        if (rows[0] && isCurrent(rows[0])) return rows
        leave(rest.late)
      } catch {
        // No request fails: the primary answers.
        leave(rest.silent)
      }
      return undefined
    },
    close: () => copies.map(({ pipeline }) => pipeline.close()),
  }
}

export type Replicas = ReturnType<typeof createReplicas>
