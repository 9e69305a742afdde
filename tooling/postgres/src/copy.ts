import { chownSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runSync } from '@saleproof/process'
import pg from 'pg'
import type { SystemUser } from './system-user.ts'

/** A server that another one is to follow. */
export interface Followed {
  url: string
  port: number
  user: string
  password: string
}

interface CopyPlaces {
  from: string
  to: string
  owner: SystemUser | undefined
}

/**
 * Copies the data of a server while it runs, as pg_basebackup does, which npm does not bring; gives the settings with which a server on
 * the copy follows the first one.
 */
export async function copyData({ url, port, user, password }: Followed, { from, to, owner }: CopyPlaces) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(`SELECT pg_backup_start('standby', true)`)
    runSync(['cp', '-a', from, to], { cwd: '/' })
    const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)')
    for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(to, name), { force: true })
    for (const [name, text] of [
      ['backup_label', rows[0].labelfile],
      ['standby.signal', ''],
    ]) {
      writeFileSync(join(to, name), text)
      if (owner) chownSync(join(to, name), owner.uid, owner.gid)
    }
  } finally {
    await client.end()
  }
  return { primary_conninfo: `host=127.0.0.1 port=${port} user=${user} password=${password}` }
}
