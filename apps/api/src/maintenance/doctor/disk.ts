import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { keptSecretFiles, nextSecretFile } from '../../crypto/secret.ts'
import { readErrorCode } from '../../db/errors.ts'
import { usageFilePath } from '../../db/location.ts'
import { secretFile } from '../../files.ts'
import { newId } from '../../ids.ts'
import type { Report } from './report.ts'

const mebibyte = 1024 ** 2

/** With less than this a burst of sales may fill it. */
const leastFreeBytes = 64 * mebibyte

/** The size of a database in bytes, with the commits that only its log holds. */
export const sizeOf = (file: string) =>
  [file, `${file}-wal`].reduce((sum, each) => sum + (existsSync(each) ? statSync(each).size : 0), 0)

/** Only a write shows it: permissions do not reveal a quota or a read-only file system. */
function writeProbe(folder: string) {
  const file = join(folder, `.doctor-${newId()}`)
  try {
    const descriptor = openSync(file, 'wx', 0o600)
    try {
      writeSync(descriptor, Buffer.alloc(4096))
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } finally {
    rmSync(file, { force: true })
  }
}

/** Free space and permissions. */
export function checkDisk(databaseFile: string, { problem, warning }: Report): string {
  const own = dirname(resolve(databaseFile))
  let folder = own
  while (!existsSync(folder)) folder = dirname(folder)
  try {
    writeProbe(folder)
  } catch (error) {
    problem(
      `nothing can be written to ${folder} (${readErrorCode(error) || 'unknown'})`,
      'make room on its disk, or change the owner or permissions of the folder',
    )
  }
  if (folder !== own) return `the folder ${own} is made by the first start`
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const size = sizeOf(databaseFile)
  const room = `${Math.floor(free / mebibyte)} MiB are free on the disk of ${folder}`
  if (free < leastFreeBytes) problem(room, 'make room: without any nothing more can be recorded')
  else if (free < 2 * size)
    warning(room, 'make room for two more of the database: migrations and restores keep a copy')
  if ((statSync(folder).mode & 0o022) !== 0)
    problem(`${folder} may be written by other users`, `run: chmod go-w ${folder}`)
  const secrets = [secretFile(databaseFile), nextSecretFile(databaseFile), ...keptSecretFiles(databaseFile)]
  for (const file of [databaseFile, usageFilePath(databaseFile), ...secrets])
    if (existsSync(file) && (statSync(file).mode & 0o077) !== 0)
      problem(`${file} may be read by other users`, `run: chmod 600 ${file}`)
  return room
}
