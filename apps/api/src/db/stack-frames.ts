import { DatabaseError, describeCause } from './errors.ts'

const frame = /^ {4}at (?:.* \()?(?:node:|file:|\/|[A-Za-z]:\\).*:\d+:\d+\)?$/

/**
 * The stack of an error without its message. The message may repeat input, even in lines that look like stack frames: parsers and drivers
 * add their whole input to their errors.
 */
export function stackFrames(error: unknown): string[] {
  // A `DatabaseError` comes from where the driver threw.
  if (error instanceof DatabaseError && error.cause) return stackFrames(error.cause)
  const { stack, message }: { stack?: unknown; message?: unknown } = error ?? {}
  const text = String(stack ?? '')
  const start = typeof message === 'string' && message !== '' ? text.indexOf(message) : -1
  const rest = start < 0 ? text : text.slice(start + String(message).length)
  return rest.split('\n').filter((line) => frame.test(line))
}

/** The class and code of an error, if they look like names. */
export function errorName(error: unknown): string {
  const { name, code } = describeCause(error)
  const names = [name ?? 'error', code].filter((each) => /^[\w.-]{1,64}$/.test(String(each ?? '')))
  return names.join(' ') || 'error'
}
