const frame = /^ {4}at (?:.* \()?(?:node:|file:|\/|[A-Za-z]:\\).*:\d+:\d+\)?$/

/**
 * Where an error comes from. What it says is left out: it may repeat what was sent, in lines that look like those of a stack, and
 * parsers and drivers add the whole input to their errors.
 */
export function stackFrames(error: unknown): string[] {
  const { stack, message } = (error ?? {}) as { stack?: unknown; message?: unknown }
  const text = String(stack ?? '')
  const start = typeof message === 'string' && message !== '' ? text.indexOf(message) : -1
  const rest = start < 0 ? text : text.slice(start + String(message).length)
  return rest.split('\n').filter((line) => frame.test(line))
}

/** The class and the code of an error, as far as they are names. */
export function nameOf(error: unknown): string {
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown }
  const names = [name ?? 'error', code].filter((each) => /^[\w.-]{1,64}$/.test(String(each ?? '')))
  return names.join(' ') || 'error'
}
