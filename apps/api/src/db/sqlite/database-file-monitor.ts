import type { Logger } from 'pino'
import { DatabaseUnavailable } from '../unavailable.ts'
import { type Anchor, connect, openAnchor, setLogAside, settle } from './anchor.ts'
import { type Loss, placeOf, type RememberedFiles } from './files.ts'
import { checkHealth, type Expected, type Health, isWhole, readDeployment, unknownHealth } from './health.ts'
import type { LogIndex } from './log-index.ts'

interface WatchOptions extends Expected {
  file: string
  index: LogIndex
  logger: Logger
  /** Whether what is in the file fits together, without keeping the process waiting. */
  isIntact: () => Promise<boolean>
}

const isSame = (one: ReturnType<typeof placeOf>, other: ReturnType<typeof placeOf>) =>
  one?.id === other?.id && one?.size === other?.size

/** How old a look may be when an answer is given. */
const looksLastMs = 10
/** How often to look when nobody asks, and whether a proper database is back. */
const tickMs = 250
/** A file system that tells times late would look like so many changes by others. */
const changesBelieved = 3

const texts: Readonly<Record<Loss, string>> = {
  missing: 'the database file is gone: nothing is answered until it is back',
  replaced:
    'another file stands in the place of the database: nothing is answered until it is known to be ours',
  changed:
    'something else than SQLite wrote to the database file: nothing is answered until it is a whole one',
  log: 'the log of the database is gone: it is saved from memory and begun anew',
}

const states: Readonly<Record<Loss, Health['database']>> = {
  ...{ missing: 'missing', replaced: 'replaced', changed: 'damaged', log: 'damaged' },
}

/**
 * Notices when the database is no longer the one that was opened: SQLite itself goes on answering from a file that was deleted, and from
 * pages that it keeps of one that was overwritten. From then on nothing is answered. When a proper database of the same deployment is
 * there, and no longer changes, everything that is open on the old one is closed, and it is opened.
 */
export function watchDatabase({ file, index, logger, isIntact, ...expected }: WatchOptions) {
  const users = new Set<() => void | Promise<void>>()
  let anchor: Anchor | undefined = openAnchor(file, index)
  const identity = readDeployment(anchor.database)?.identity
  let loss: Loss | undefined
  let [lookedAt, changes, recovering, closed] = [performance.now(), 0, false, false]
  let overwritten = false
  let place: ReturnType<typeof placeOf>
  let told = ''

  function lose(found: Loss) {
    loss = found
    place = undefined
    logger.error({ loss }, texts[found])
  }

  function look(ask: (files: RememberedFiles) => Loss | undefined): boolean {
    if (loss || !anchor) return false
    try {
      const found = ask(anchor.files)
      if (found) lose(found)
    } catch {
      // The folder may not be searched: that says nothing of what is open.
    }
    return !loss
  }

  const lookAround = () => look((files) => files.loss())

  /** Closes everything that is open on the database. */
  async function release() {
    for (const close of users) await close()
    anchor?.database.close()
    anchor = undefined
  }

  /** Says once why the database is not back yet. */
  function tell(reason: string) {
    if (told !== reason) logger.warn({ reason }, 'the database is not back yet')
    told = reason
  }

  function isDeploymentIn(name: string): boolean {
    const database = connect(name)
    try {
      const parts = Object.values(checkHealth(database, expected))
      const isOurs = readDeployment(database)?.identity === identity
      return isOurs && parts.every((part) => part === 'ok') && isWhole(database, name, index)
    } finally {
      database.close()
    }
  }

  /** What stands there now, if it is a database that this service may answer from. */
  async function openProper(kind: Loss | undefined): Promise<Anchor | undefined> {
    if (!isDeploymentIn(file)) return void tell('not the whole database of this deployment')
    // Nobody wrote to it who does not know how, where only its log was gone.
    if (kind !== 'log' && !(await isIntact())) return void tell('damaged')
    return isSame(place, placeOf(file)) ? openAnchor(file, index) : undefined
  }

  function adopt(opened: Anchor) {
    if (overwritten) changes++
    if (changes >= changesBelieved) opened.files.distrustTimes()
    if (overwritten && changes === changesBelieved)
      logger.warn(
        'the times of the database file change too often to mean anything: they are not looked at any more',
      )
    anchor = opened
    found()
  }

  function found() {
    loss = undefined
    overwritten = false
    told = ''
    logger.warn('the database is back: answering again')
  }

  async function recover() {
    const before = place
    place = placeOf(file)
    if (!place) return
    const kind = anchor?.files.loss()
    if (anchor && !kind) return found()
    if (!isSame(place, before) || place.size === 0) return
    // What is open on a file that was removed may be all that is left of it: it stays open until a proper one is there.
    if (anchor && kind === 'replaced') setLogAside(anchor)
    else if (anchor && (kind === 'changed' || kind === 'log')) {
      if (!settle(anchor, kind)) return tell('the log holds what is not in it')
      overwritten = kind === 'changed'
      await release()
    }
    const opened = await openProper(kind)
    if (!opened) return
    await release()
    if (closed) opened.database.close()
    else adopt(opened)
  }

  async function tick() {
    if (recovering || lookAround()) return
    recovering = true
    try {
      await recover()
    } catch (error) {
      tell(String((error as { code?: string }).code))
    } finally {
      recovering = false
    }
  }

  const timer = setInterval(() => void tick(), tickMs).unref()

  return {
    /** Whether the database may be asked. */
    isUsable(): boolean {
      const time = performance.now()
      if (loss || time - lookedAt < looksLastMs) return !loss
      lookedAt = time
      return lookAround()
    },
    /** Whether what was just read was read from what the deployment stores: asked before something is refused as unknown. */
    isStillThere: () => look((files) => files.lossOfMain()),
    /** Throws where nothing may be read or written, or could not be confirmed that was. */
    require() {
      if (!lookAround()) throw new DatabaseUnavailable()
    },
    /** `close` is called when everything that is open on the database has to be closed; it is opened again when it is used again. */
    onRelease: (close: () => void | Promise<void>) => void users.add(close),
    health(): Health {
      if (!lookAround() || !anchor) return unknownHealth(states[loss ?? 'missing'])
      return checkHealth(anchor.database, expected)
    },
    close() {
      closed = true
      clearInterval(timer)
      anchor?.database.close()
    },
  }
}

export type DatabaseWatch = ReturnType<typeof watchDatabase>
