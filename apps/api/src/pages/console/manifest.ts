import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../../error-code.ts'

interface Manifest {
  /** Paths below `/console`, in the syntax of the router. */
  pages: string[]
  /** The files, and the encodings of the compressed copies beside them, best first. */
  files: Record<string, { type: string; encodings: string[] }>
}

/** Reads the manifest that the console's build wrote; undefined where the console was not built. */
export function readManifest(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'console.json'), 'utf8'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
