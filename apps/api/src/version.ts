import { readFileSync } from 'node:fs'

/** The version in package.json, which stands one folder above both the sources and the build. */
export const version: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version
