import { sqliteDateTime } from '../records/sqlite-datetime.ts'
import {
  type AuditEntry,
  type AuditHead,
  type AuditHome,
  type AuditSealer,
  hashEntry,
  isGenuine,
} from './chain.ts'

/** An entry as it is read: an attacker may have written anything. */
export interface ReadEntry extends Omit<AuditEntry, 'at'> {
  at: unknown
}

/** An entry that was noted outside of the database. */
export interface NotedEntry {
  number: number
  hash: string
}

export const formatNoted = ({ number, hash }: NotedEntry) => `${number}:${hash}`

export function parseNoted(text: string): NotedEntry | undefined {
  const [, number, hash] = /^([1-9]\d{0,9}):([\w-]{43})$/.exec(text) ?? []
  return hash === undefined ? undefined : { number: Number(number), hash }
}

/** A timestamp as it was written; undefined in any other format. */
export function readTimestamp(value: unknown): Date | undefined {
  if (value instanceof Date) return value
  const date = new Date(String(value))
  return !Number.isNaN(date.getTime()) && sqliteDateTime(date) === value ? date : undefined
}

function isUnchanged({ hash, at, ...rest }: ReadEntry): boolean {
  const timestamp = readTimestamp(at)
  return timestamp !== undefined && hash === hashEntry({ ...rest, at: timestamp })
}

/** One line that names the first wrong entry. */
type Problem = string | undefined

interface CheckOptions {
  sealer: AuditSealer
  home: AuditHome | undefined
  /** The last entry that retention removed. */
  removed?: NotedEntry | undefined
  noted?: NotedEntry | undefined
}

/** Follows the chain from its first entry to its head. `take` and `end` return the first problem. */
export function createChainCheck({ sealer, home, removed = { number: 0, hash: '' }, noted }: CheckOptions) {
  let last = removed

  return {
    last: () => last,

    take(entry: ReadEntry): Problem {
      const { number, hash, previousHash } = entry
      const expected = last.number + 1
      if (number > expected) return `entry ${expected} is missing`
      if (number < expected) return `entry ${number} was added`
      if (previousHash !== last.hash)
        return `entry ${number} does not follow on the one before: one of the two was changed, added or moved`
      if (!isUnchanged(entry)) return `entry ${number} was changed`
      if (number === noted?.number && hash !== noted.hash)
        return `entry ${number} is not the one that was noted`
      last = { number, hash }
      return undefined
    },

    /** After the last entry. */
    end(head: AuditHead | undefined): Problem {
      const { number, hash } = last
      if (!head)
        return 'entry 1 and all others may have been replaced: the end of the log is not noted any more'
      if (head.count > number) return `entry ${number + 1} is missing: there were ${head.count}`
      if (head.count < number) return `entry ${head.count + 1} was added: there were ${head.count}`
      if (head.hash !== hash)
        return `entry ${number} is not the one that was recorded, nor may those before be`
      if (!home || !isGenuine(head, home, sealer))
        return `entry ${number} does not carry the seal of this deployment: the log was rewritten, or is another one's`
      if (noted && noted.number > number)
        return `entry ${number + 1} is missing: ${noted.number} was noted, and the log ends before`
      return undefined
    },
  }
}
