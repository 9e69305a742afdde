import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ApiError } from './api-error.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Rejects requests without this bearer token. How long that takes reveals nothing about the token. */
export function requireBearer(token: string): (request: IncomingMessage) => void {
  const expected = digest(token)
  return ({ headers }) => {
    const given = /^bearer\s+(.*)$/i.exec((headers.authorization ?? '').trim())?.[1] ?? ''
    if (!timingSafeEqual(digest(given), expected))
      throw new ApiError(headers.authorization ? 'invalid_api_key' : 'missing_api_key')
  }
}
