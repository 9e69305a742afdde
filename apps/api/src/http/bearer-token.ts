import type { IncomingMessage } from 'node:http'
import { safeEqual } from '../safe-equal.ts'
import { ApiError } from './api-error.ts'

/** Rejects requests without this bearer token. How long that takes reveals nothing about the token. */
export function requireBearer(token: string): (request: IncomingMessage) => void {
  return ({ headers }) => {
    const given = /^bearer\s+(.*)$/i.exec((headers.authorization ?? '').trim())?.[1] ?? ''
    if (!safeEqual(given, token))
      throw new ApiError(headers.authorization ? 'invalid_api_key' : 'missing_api_key')
  }
}
