interface Version {
  value: string
  from: number
  until: number
  acknowledged: boolean
}

/** How long a request may take at most: what was superseded before that is forgotten. */
const longestRequestMs = 60_000

/**
 * What a read of one stored value may see, with one writer at a time: the last value that was acknowledged, and for ever one whose write
 * failed, since an instance that was cut off may still store it later.
 */
export function createRegister(first: string) {
  let versions: Version[] = [{ value: first, from: 0, until: Number.POSITIVE_INFINITY, acknowledged: true }]

  function acknowledge(version: Version) {
    const now = performance.now()
    versions = versions.filter(({ until }) => until > now - longestRequestMs)
    for (const other of versions) if (other.acknowledged) other.until = Math.min(other.until, now)
    version.acknowledged = true
    version.until = Number.POSITIVE_INFINITY
  }

  return {
    /** Begins to write; gives what acknowledges it. */
    write(value: string) {
      const from = performance.now()
      const version = { value, from, until: Number.POSITIVE_INFINITY, acknowledged: false }
      versions.push(version)
      return () => acknowledge(version)
    },
    /** Whether a read that lasted so long and ends now may see this value; from now on no read sees an older one. */
    see(value: string, began: number) {
      const seen = versions.filter((version) => version.value === value && version.until >= began)
      const [unknown] = seen
      if (unknown && seen.every(({ acknowledged }) => !acknowledged)) acknowledge(unknown)
      return seen.length > 0
    },
    /** Whether it has this value, and no write could still change it. */
    isSettled: (value: string) =>
      versions.every(({ acknowledged }) => acknowledged) && versions.at(-1)?.value === value,
    possible: () =>
      versions.map(({ value, acknowledged }) => `${value}${acknowledged ? '' : '?'}`).join(', '),
  }
}

export type Register = ReturnType<typeof createRegister>
