/** The headers with which the answers of operations for publishable keys are shown to pages of any origin. */
export const cors = {
  /** Request headers that a page may set. */
  allowed: ['Authorization', 'X-Api-Key', 'Content-Type', 'Accept-Language', 'X-Request-Id', 'Prefer'],
  /** Response headers that a page may read, besides those that every page may. */
  exposed: [
    'X-Error-Code',
    'X-Request-Id',
    'X-Purchase-Pass',
    'Retry-After',
    'RateLimit',
    'RateLimit-Policy',
    'Link',
  ],
} as const
