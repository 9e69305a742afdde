import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Whether a request brings this bearer token; how long that takes says nothing about the token. */
export function isBearer(token: string): (request: IncomingMessage) => boolean {
  const expected = digest(token)
  return ({ headers }) => {
    const given = /^bearer\s+(.*)$/i.exec((headers.authorization ?? '').trim())?.[1] ?? ''
    return timingSafeEqual(digest(given), expected)
  }
}
