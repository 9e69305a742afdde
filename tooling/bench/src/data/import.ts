import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { addressOf, benchSecret, type Context, serviceEntry } from '../context.ts'

interface Import {
  records: Readable
  database: string
}

/** Loads records with the real `saleproof import`; gives the seconds that it took, its start included. */
export async function importStream(context: Context, { records, database }: Import): Promise<number> {
  const start = performance.now()
  const child = spawn(context.node, [serviceEntry(context), 'import', '-'], {
    env: { ...context.env, DATABASE_URL: addressOf(database), SALEPROOF_SECRET: benchSecret },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let messages = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    messages += text
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  // A command that gives up closes its input: what it has to say matters more than the broken pipe.
  await pipeline(records, child.stdin).catch(() => {})
  const code = await ended
  if (code !== 0) throw new Error(`saleproof import failed (${code}):\n${messages.trim()}`)
  return (performance.now() - start) / 1000
}

export const importFile = (context: Context, { records, database }: { records: string; database: string }) =>
  importStream(context, { records: createReadStream(records, { highWaterMark: 1 << 20 }), database })
