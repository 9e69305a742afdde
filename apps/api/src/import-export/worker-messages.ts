import type { MessagePort } from 'node:worker_threads'
import type { Locale } from '@saleproof/schema'
import type { ErrorMessage } from '../db/errors.ts'
import type { ImportProblem, ImportProgress, ImportResult } from '../domain/imports.ts'
import type { ImportDatabase, ImportOptions } from './import.ts'

/** One import. */
export type WorkerTask = ImportDatabase & {
  /** For the messages of this import alone; the worker closes it at its end. */
  port: MessagePort
  now: Date
  dryRun: boolean | undefined
  maxErrors: number | undefined
  locale: Locale | undefined
  actor: ImportOptions['actor']
  manual: ImportOptions['manual']
  own: ImportOptions['own']
  /** One number: 1 once the import shall stop. Memory of both threads, for a worker that is at work hears no message. */
  stopped: SharedArrayBuffer
}

/** From the process to the worker. */
export type ToWorker =
  | { type: 'chunk'; bytes: Uint8Array }
  | { type: 'end' }
  | { type: 'sealed'; hash: string; sealed: Uint8Array }
  | { type: 'stop' }

/** From the worker to the process. The secret stays there: the worker asks for each key to be hashed and sealed. */
export type FromWorker =
  | { type: 'more' }
  | { type: 'seal'; key: string }
  | { type: 'progress'; progress: ImportProgress }
  | { type: 'done'; result: ImportResult }
  | { type: 'refused'; problems: readonly ImportProblem[]; more: boolean }
  | { type: 'failed'; error: ErrorMessage }
