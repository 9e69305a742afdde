import { existsSync, statSync } from 'node:fs'
import { secretFile } from '../../files.ts'
import { usageFilePath } from '../location.ts'

interface Loss {
  state: 'missing' | 'empty'
  /** What is beside a database only after it was used. */
  traces: readonly string[]
}

/** Whether a database was lost. The secret may be there before a database is made, but is not beside an empty one. */
export function findMissingDatabase(file: string): Loss | undefined {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats && (stats.size > 0 || !stats.isFile())) return undefined
  const traces = [`${file}-wal`, usageFilePath(file), ...(stats ? [secretFile(file)] : [])].filter((trace) =>
    existsSync(trace),
  )
  return traces.length ? { state: stats ? 'empty' : 'missing', traces } : undefined
}
