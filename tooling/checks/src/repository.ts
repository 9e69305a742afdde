import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runSync } from '@saleproof/process'

export const root = resolve(import.meta.dirname, '../../..')

/** The files of the repository as they would be committed now, relative to its root. */
export const files: readonly string[] = runSync(
  ['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
  { cwd: root, env: process.env },
)
  .split('\0')
  .filter((file) => file && existsSync(join(root, file)))

export const read = (file: string) => readFileSync(join(root, file), 'utf8')

export const readJson = (file: string) => JSON.parse(read(file))

export const documents = files.filter((file) => file.endsWith('.md'))

const workspaceFile = /^((?:apps|clients|packages|tooling)\/[^/]+)\/package\.json$/

/** Every package of the workspace: its folder and its package.json. */
export const packages = files.flatMap((file) => {
  const folder = workspaceFile.exec(file)?.[1]
  return folder ? [{ folder, manifest: readJson(file) }] : []
})

export const findFolder = (file: string) =>
  packages.find(({ folder }) => file.startsWith(`${folder}/`))?.folder
