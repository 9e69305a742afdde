import { workerData } from 'node:worker_threads'
import { answerCalls } from '../db/sqlite/thread.ts'
import { monitorUsageFile } from './usage-file.ts'
import type { UsageCall } from './usage-store.ts'

const { databaseFile }: { databaseFile: string } = workerData
const { use, close } = monitorUsageFile(databaseFile)

answerCalls<UsageCall>({ execute: (call) => use().run(call), close })
