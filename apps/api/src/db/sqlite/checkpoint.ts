import { open } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import {
  checkpointFile,
  clearRecord,
  findChange,
  readRecord,
  recordState,
  statFile,
} from './checkpoint-record.ts'
import { databaseFileLost } from './errors.ts'
import { lockCheckpoints } from './lock.ts'

/** The clock of a file system ticks this often at least: a write in the same tick as the one before would not show. */
const tickMs = 20

async function syncRecord(databaseFile: string) {
  const handle = await open(checkpointFile(databaseFile))
  await handle.datasync().finally(() => handle.close())
}

/**
 * Runs what moves the log into the database, and records what that leaves of the file; where nothing was recorded before only for a
 * service. Undefined where another process does the same.
 */
export async function runCheckpoint<T>(
  databaseFile: string,
  act: () => Promise<T>,
  { serving }: { serving: boolean },
): Promise<T | undefined> {
  const lock = lockCheckpoints(databaseFile)
  if (!lock) return undefined
  try {
    if (findChange(databaseFile)) throw databaseFileLost()
    const isRecorded = readRecord(databaseFile) !== undefined
    clearRecord(databaseFile)
    await syncRecord(databaseFile)
    try {
      return await act()
    } finally {
      if (isRecorded || serving) {
        await delay(tickMs)
        recordState(databaseFile)
      }
    }
  } finally {
    lock.release()
  }
}

/** Records the file as a service finds it, unless another process of it has, or is just making a checkpoint. */
export function recordAtStart(databaseFile: string) {
  const lock = lockCheckpoints(databaseFile)
  if (!lock) return
  try {
    if (readRecord(databaseFile)) return
    const age = Math.abs(Date.now() - (statFile(databaseFile)?.mtimeMs ?? 0))
    if (age < tickMs) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, tickMs)
    recordState(databaseFile)
  } finally {
    lock.release()
  }
}
