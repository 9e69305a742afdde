import { statSync } from 'node:fs'
import { openUsageFile, trafficFile, type UsageFile } from './usage-file.ts'

function identityOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}

/** The traffic file of a process that serves: opened when it is needed, and again when another one or none stands in its place. */
export function monitorUsageFile(databaseFile: string) {
  const name = trafficFile(databaseFile)
  let open: { file: UsageFile; identity: string | undefined } | undefined

  function close() {
    open?.file.close()
    open = undefined
  }

  return {
    use(): UsageFile {
      // SQLite would go on writing to a file that was deleted, and nobody would ever read that.
      if (open && open.identity !== identityOf(name)) close()
      if (!open) {
        const file = openUsageFile(databaseFile)
        open = { file, identity: identityOf(name) }
      }
      return open.file
    },
    close,
  }
}
