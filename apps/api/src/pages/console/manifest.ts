import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { errorCode } from '../../error-code.ts'

const ManifestSchema = v.object({
  /** Paths below `/console`, in the syntax of the router. */
  pages: v.array(v.string()),
  /** The files, and the encodings of the compressed copies beside them, best first. */
  files: v.record(v.string(), v.object({ type: v.string(), encodings: v.array(v.string()) })),
})

export type Manifest = v.InferOutput<typeof ManifestSchema>

/** Reads the manifest that the console's build wrote; undefined where the console was not built. */
export function readManifest(folder: string): Manifest | undefined {
  try {
    return v.parse(ManifestSchema, JSON.parse(readFileSync(join(folder, 'console.json'), 'utf8')))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
