import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { usageFilePath } from '../../usage/usage-file.ts'

/** How large the database is, in bytes; without what cannot be found out. */
export interface DatabaseSizes {
  /** Each part by its name. */
  parts: Readonly<Record<string, number>>
  /** What is left of the disk that it is on. */
  free: number | undefined
}

const orNothing = (read: () => number) => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** The sizes of an SQLite file, its log and the file of the traffic. */
export function fileSizes(databaseFile: string): DatabaseSizes {
  const files = { main: databaseFile, wal: `${databaseFile}-wal`, traffic: usageFilePath(databaseFile) }
  const parts = Object.entries(files).flatMap(([name, file]) => {
    const size = orNothing(() => statSync(file).size)
    return size === undefined ? [] : [[name, size] as const]
  })
  const free = orNothing(() => {
    const { bavail, bsize } = statfsSync(dirname(databaseFile))
    return bavail * bsize
  })
  return { parts: Object.fromEntries(parts), free }
}
