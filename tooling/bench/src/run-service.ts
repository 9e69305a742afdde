import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { benchSecret, type Context, serviceEntry } from './context.ts'

/** Runs a command of the service to its end. */
export const runService = (context: Context, args: readonly string[], databaseUrl: string) =>
  promisify(execFile)(context.node, [serviceEntry(context), ...args], {
    env: { ...context.env, DATABASE_URL: databaseUrl, SALEPROOF_SECRET: benchSecret },
  })
