import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'

const ManifestSchema = v.object({
  /** Paths below `/console`, in the syntax of the router. */
  pages: v.array(v.string()),
  /** The names of the files, and the encodings that a compressed copy lies beside each for, best first. */
  files: v.record(v.string(), v.object({ type: v.string(), encodings: v.array(v.string()) })),
})

export type Manifest = v.InferOutput<typeof ManifestSchema>

/** What the build of the console says that it holds; undefined where there is none: sources run without it. */
export function readManifest(folder: string): Manifest | undefined {
  try {
    return v.parse(ManifestSchema, JSON.parse(readFileSync(join(folder, 'console.json'), 'utf8')))
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw error
  }
}
