import { statSync } from 'node:fs'
import { openTrafficFile, type TrafficFile, trafficFile } from './traffic-file.ts'

function identityOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}

/** The traffic file of a process that serves: opened when it is needed, and again when another one or none stands in its place. */
export function keepTrafficFile(databaseFile: string) {
  const name = trafficFile(databaseFile)
  let open: { file: TrafficFile; identity: string | undefined } | undefined

  function close() {
    open?.file.close()
    open = undefined
  }

  return {
    use(): TrafficFile {
      // SQLite would go on writing to a file that was deleted, and nobody would ever read that.
      if (open && open.identity !== identityOf(name)) close()
      if (!open) {
        const file = openTrafficFile(databaseFile)
        open = { file, identity: identityOf(name) }
      }
      return open.file
    },
    close,
  }
}
