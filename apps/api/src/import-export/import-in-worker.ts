import { transferableAbortSignal } from 'node:util'
import { createThread } from '../db/sqlite/thread.ts'
import { ImportError, type ImportRequest, type ImportResult } from '../domain/imports.ts'
import { workerFile } from '../worker-options.ts'
import type { ImportDatabase } from './import.ts'

/** One import, as it is sent to a thread. */
export type WorkerTask = Omit<ImportRequest, 'source' | 'now' | 'signal'> &
  ImportDatabase & {
    /** Without it the file is read. */
    source: ReadableStream<Uint8Array> | undefined
    now: Date
    signal: AbortSignal
  }

/** What an import did, or why it was refused. */
export type WorkerResult = ImportResult | Pick<ImportError, 'problems' | 'more'>

interface WorkersOptions {
  secret: string
  /** How long a thread without an import is kept. */
  keptMs?: number
}

/** As many imports run at once, each in a thread. */
export const importThreads = 2

/** `importRecords` in threads of their own, so that the process goes on serving. */
export function createImportWorkers({ secret, keptMs = 60_000 }: WorkersOptions) {
  const options = {
    workerData: { secret },
    resourceLimits: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 },
    keptMs,
  }
  const threads = Array.from({ length: importThreads }, () => ({
    ...createThread<WorkerTask>(workerFile('import-worker', import.meta.url), options),
    running: 0,
  }))

  async function importInWorker(request: ImportRequest & ImportDatabase): Promise<ImportResult> {
    const { source, now, signal, ...task } = request
    signal?.throwIfAborted()
    let failure: unknown
    async function* chunks() {
      try {
        // A copy: to post a part of a buffer is to post all of it.
        for await (const chunk of source) yield new Uint8Array(chunk)
      } catch (error) {
        failure = error
        throw error
      }
    }
    const stop = new AbortController()
    const abort = () => stop.abort()
    signal?.addEventListener('abort', abort, { once: true })
    // A source whose other side is gone may never give its next chunk.
    const stream = task.file
      ? undefined
      : ReadableStream.from(chunks()).pipeThrough(new TransformStream(), { signal: stop.signal })
    const sent = { ...task, source: stream, now: now(), signal: transferableAbortSignal(stop.signal) }
    const thread = threads.reduce((idlest, each) => (each.running < idlest.running ? each : idlest))
    thread.running++
    try {
      const result = await thread.call<WorkerResult>(sent, [...(stream ? [stream] : []), sent.signal])
      if ('problems' in result) throw new ImportError(result.problems, result.more)
      return result
    } catch (error) {
      signal?.throwIfAborted()
      throw failure ?? error
    } finally {
      thread.running--
      signal?.removeEventListener('abort', abort)
      // To one that is done already it means nothing.
      stop.abort()
    }
  }

  return { importInWorker, close: () => Promise.all(threads.map((thread) => thread.close())) }
}
