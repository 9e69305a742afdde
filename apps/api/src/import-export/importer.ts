import { statSync } from 'node:fs'
import type { KeySealer } from '../crypto/key-vault.ts'
import { DatabaseError } from '../db/errors.ts'
import type { ImportRequest, ImportResult } from '../domain/imports.ts'
import { createFairQueue } from '../fair-queue.ts'
import { createFewTarget, type FewTarget } from './few.ts'
import { importTo, preview } from './import.ts'
import { importThreads } from './import-in-worker.ts'

interface ImporterOptions extends FewTarget {
  vault: KeySealer
  inWorker: (request: ImportRequest) => Promise<ImportResult>
}

/** More is imported in a worker: it would hold up the process, or the write lock. */
const maxLines = 100
const maxBytes = 256 * 1024

/** The imports of all owners, in the order in which they came. */
const createQueue = (running: number, waitingOfOwner: number, timeoutMs: number) => {
  const full = () => new DatabaseError('busy', 'IMPORTS')
  const run = createFairQueue({ running, ofOwner: running, waitingOfOwner, timeoutMs, full })
  return <T>(act: () => Promise<T>) => run('', act)
}

const newline = 0x0a

function countLines(chunk: Uint8Array): number {
  let count = 0
  for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) count++
  return count
}

/** A few rows of a sales file with quantities become thousands of records. */
const makesMany = ({ sales }: ImportRequest) => sales?.codes === 'make' && sales.columns.quantity >= 0

/** Reads all of a small source, or the beginning of a large one. */
async function readHead(source: AsyncIterator<Uint8Array>) {
  const chunks: Uint8Array[] = []
  let [lines, bytes] = [0, 0]
  while (lines <= maxLines && bytes <= maxBytes) {
    const { done, value } = await source.next()
    if (done) return { chunks, isWhole: true }
    // A copy: the source may use its buffer again.
    chunks.push(new Uint8Array(value))
    lines += countLines(value)
    bytes += value.length
  }
  return { chunks, isWhole: false }
}

async function* join(head: readonly Uint8Array[], rest?: AsyncIterator<Uint8Array>) {
  yield* head
  if (rest) yield* { [Symbol.asyncIterator]: () => rest }
}

/** A promise that an abort ends: a source whose other side is gone may never give its next chunk. */
const untilAborted = <T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
  new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    promise.then(resolve, reject)
  })

/**
 * Makes the function with which a process that serves imports. Few records, such as a sale as it happens, are imported here; many in a
 * worker thread. Both wait in a queue.
 */
export function createImporter({ vault, inWorker, ...database }: ImporterOptions) {
  // With the 6 s that one waits for locks it ends well within 10 s.
  const runSmall = createQueue(4, 200, 2000)
  const runLarge = createQueue(importThreads, 8, 5000)
  return async function importRecords(request: ImportRequest): Promise<ImportResult> {
    const { source, signal } = request
    signal?.throwIfAborted()
    const chunks = source[Symbol.asyncIterator]()
    const head = await untilAborted(readHead(chunks), signal)
    if (request.preview && head.isWhole) return preview(join(head.chunks), request.preview)
    const few = { ...request, vault, source: join(head.chunks) }
    if (head.isWhole && !makesMany(request))
      return runSmall(() => importTo(createFewTarget(database, few), few))
    // What was read of a pipe is in no file.
    const file = request.file && statSync(request.file).isFile() ? request.file : undefined
    if (file) await chunks.return?.()
    return runLarge(() => inWorker({ ...request, file, source: join(head.chunks, chunks) }))
  }
}
