import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSizes } from '../database.ts'
import { usageFilePath } from '../location.ts'

function orUndefined(read: () => number) {
  try {
    return read()
  } catch {
    return undefined
  }
}

export function databaseSizes(databaseFile: string): DatabaseSizes {
  const files = { main: databaseFile, wal: `${databaseFile}-wal`, usage: usageFilePath(databaseFile) }
  const parts = Object.entries(files).flatMap(([name, file]) => {
    const size = orUndefined(() => statSync(file).size)
    return size === undefined ? [] : [[name, size] as const]
  })
  const free = orUndefined(() => {
    const { bavail, bsize } = statfsSync(dirname(databaseFile))
    return bavail * bsize
  })
  return { parts: Object.fromEntries(parts), free }
}
