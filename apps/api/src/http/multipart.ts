import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import { ApiError } from './api-error.ts'
import type { Parameter } from './state.ts'

/** A body that breaks off is reported by the parser and by the part it was in, each in its own time. Unhandled, either ends the process. */
const ignore = () => {}

/** Text fields are parameters; a file under the name of a parameter is a value that is not a string. */
export async function parseMultipart(contentType: string, bytes: Buffer): Promise<Parameter[]> {
  const fields: Parameter[] = []
  let files = 0
  try {
    const busboy = new Busboy({
      headers: { 'content-type': contentType },
      limits: { fields: 1000, files: 1000 },
    })
    busboy.on('error', ignore)
    busboy.on('field', (name, value) => void fields.push([name, value]))
    busboy.on('file', (name, stream) => {
      stream.on('error', ignore)
      stream.resume()
      files++
      fields.push([name, stream])
    })
    await pipeline(Readable.from([bytes]), busboy)
  } catch {
    throw new ApiError('malformed_body')
  }
  if (files === 0 && !isUtf8(bytes)) throw new ApiError('malformed_body')
  return fields
}
