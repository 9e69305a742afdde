import { readFileSync } from 'node:fs'

/** The folder of package.json: one above the sources, and one above the build. */
export const packageRoot = new URL('..', import.meta.url)

export const version: string = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')).version
