import {
  type AuditHead,
  type AuditHome,
  type AuditSealer,
  hashEntry,
  isGenuine,
  type ReadEntry,
} from './chain.ts'

/** An entry that was noted outside of the database. */
export interface NotedEntry {
  position: number
  hash: string
}

export const formatNoted = ({ position, hash }: NotedEntry) => `${position}:${hash}`

export function parseNoted(text: string): NotedEntry | undefined {
  const [, position, hash] = /^([1-9]\d{0,9}):([\w-]{43})$/.exec(text) ?? []
  return hash === undefined ? undefined : { position: Number(position), hash }
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
export function createChainCheck({ sealer, home, removed = { position: 0, hash: '' }, noted }: CheckOptions) {
  let last = removed

  return {
    last: () => last,

    /** Of an entry that is joined. */
    take(entry: ReadEntry): Problem {
      const { hash, previousHash } = entry
      const position = Number(entry.position)
      const expected = last.position + 1
      if (position > expected) return `entry ${expected} is missing`
      if (position < expected) return `entry ${position} was added`
      if (previousHash !== last.hash)
        return `entry ${position} does not follow on the one before: one of the two was changed, added or moved`
      if (hash !== hashEntry(entry)) return `entry ${position} was changed`
      if (position === noted?.position && hash !== noted.hash)
        return `entry ${position} is not the one that was noted`
      last = { position, hash }
      return undefined
    },

    /** After the last entry. */
    end(head: AuditHead | undefined): Problem {
      const { position, hash } = last
      if (!head)
        return 'entry 1 and all others may have been replaced: the end of the log is not noted any more'
      if (head.count > position) return `entry ${position + 1} is missing: there were ${head.count}`
      if (head.count < position) return `entry ${head.count + 1} was added: there were ${head.count}`
      if (head.hash !== hash)
        return `entry ${position} is not the one that was recorded, nor may those before be`
      if (!home || !isGenuine(head, home, sealer))
        return `entry ${position} does not carry the seal of this deployment: the log was rewritten, or is another one's`
      if (noted && noted.position > position)
        return `entry ${position + 1} is missing: ${noted.position} was noted, and the log ends before`
      return undefined
    },
  }
}
