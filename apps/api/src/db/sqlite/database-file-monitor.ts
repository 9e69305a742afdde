import type { Logger } from 'pino'
import { selectDeployment } from '../deployment.ts'
import { DatabaseError, isDamage } from '../errors.ts'
import { type Expected, type Health, readHealth, unknownHealth } from '../health.ts'
import { recordAtStart } from './checkpoint.ts'
import { type Change, clearRecord, findChange, readRecord, statFile } from './checkpoint-record.ts'
import { openConnection, runSql, type SqliteConnection, sqlIn } from './connection.ts'
import { databaseFileLost, fromSqlite } from './errors.ts'
import { type LogIndex, watchLog } from './log.ts'
import { sqliteHistory } from './migrate.ts'

interface MonitorOptions extends Expected {
  file: string
  index: LogIndex
  logger: Logger
  /** Moves the log into the database, without blocking the process. */
  checkpoint: () => Promise<unknown>
}

type Loss = Change | 'log'

const busyTimeoutMs = 50
/** How often to look when no request does. */
const tickMs = 250
/** How many more pages may wait in the log. */
const maxWaiting = 1000

const advice =
  'requests fail until the service is stopped, the file is whole again and the service is started'

/** What each is for the health of the database, and in the log. */
const losses: Readonly<Record<Loss, readonly [Health['database'], message: string]>> = {
  missing: ['missing', 'the database file is gone'],
  replaced: ['replaced', 'another file has taken the place of the database'],
  changed: ['damaged', 'another program wrote to the database file'],
  log: [
    'damaged',
    'the write-ahead log of the database, or its index, was removed or truncated by another program, and the last changes may be lost',
  ],
}

function errorState(error: unknown): Health['database'] {
  const known = fromSqlite(error)
  if (!(known instanceof DatabaseError)) return 'failed'
  if (known.kind === 'busy') return 'locked'
  return isDamage(known) ? 'damaged' : 'failed'
}

async function checkHealth(connection: SqliteConnection, expected: Expected): Promise<Health> {
  try {
    return await readHealth(sqlIn(connection), expected, sqliteHistory)
  } catch (error) {
    return unknownHealth(errorState(error))
  }
}

/**
 * Notices when the files of the database are not as SQLite has left them: it would go on answering from a deleted file, and mix cached
 * pages with those of another one. From then on every request of this process fails. Decision 13.
 */
export function monitorDatabaseFile({ file, index, logger, checkpoint, ...expected }: MonitorOptions) {
  const connection = openConnection(file, { timeoutMs: busyTimeoutMs })
  // A restored backup has no log until it is opened with one.
  connection.pragma('journal_mode = WAL')
  connection.pragma('query_only = ON')
  runSql(connection, selectDeployment)
  // One that may not write stays open after a loss: the last to close would otherwise move the log into whatever file is there.
  const anchor = openConnection(file, { readonly: true })
  runSql(anchor, selectDeployment)
  recordAtStart(file)
  let known = readRecord(file)
  const log = watchLog(file, { index, pageSize: Number(connection.pragma('page_size', { simple: true })) })
  let loss: Loss | undefined
  let running: Promise<unknown> | undefined
  /** Pages that a reader of an older state kept in the log. */
  let kept = 0

  function lossOfMain(): Loss | undefined {
    const found = statFile(file)
    const isKnown =
      found?.mtimeMs === known?.modifiedMs && found?.size === known?.size && found?.ino === known?.inode
    if (found && isKnown) return undefined
    const change = findChange(file)
    if (!change) known = readRecord(file)
    return change
  }

  const lossOfAny = () => lossOfMain() ?? (log.isWhole() ? undefined : 'log')

  /** What was committed to a log that was removed is in this process alone. */
  function saveRemovedLog() {
    if (!log.isRemoved() || log.othersUseAnother()) return
    clearRecord(file)
    connection.pragma('wal_checkpoint(PASSIVE)')
  }

  function look(find: () => Loss | undefined): boolean {
    if (loss) return false
    try {
      loss = find()
      if (!loss) return true
      logger.error({ loss }, `${losses[loss][1]}: ${advice}`)
      if (loss === 'log') saveRemovedLog()
    } catch {
      // The folder may not be searched: the state is unknown.
    }
    return false
  }

  async function tick() {
    if (!look(lossOfAny) || running) return
    kept = Math.min(kept, log.waiting())
    if (log.waiting() - kept < maxWaiting && readRecord(file)) return
    running = checkpoint()
    // The next one tries again.
    await running.catch(() => {})
    running = undefined
    kept = log.waiting()
  }

  const timer = setInterval(() => void tick().catch(() => {}), tickMs).unref()

  return {
    /** Whether nothing was found so far. */
    isUsable: () => loss === undefined,
    /** Whether what was just read is in the database of the deployment. */
    isCurrent: () => look(lossOfMain),
    /** Throws where nothing may be read or written, and where a write that was just made may be lost. */
    require() {
      if (!look(lossOfAny)) throw databaseFileLost()
    },
    async health(): Promise<Health> {
      if (!look(lossOfAny)) return unknownHealth(loss ? losses[loss][0] : 'failed')
      return checkHealth(connection, expected)
    },
    /** Gives false where the files have to stay as they are until the process ends. */
    async close(): Promise<boolean> {
      clearInterval(timer)
      await running?.catch(() => {})
      const isWhole = look(lossOfAny)
      if (isWhole) {
        // The last connection to close makes a checkpoint.
        clearRecord(file)
        anchor.close()
      }
      connection.close()
      return isWhole
    },
  }
}

export type DatabaseFileMonitor = ReturnType<typeof monitorDatabaseFile>
