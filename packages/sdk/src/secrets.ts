import type { ErrorCause } from './errors.ts'

/**
 * The start of a text that was received or thrown, without e-mail addresses and without what repeats six consecutive characters of a
 * secret, as it is or as in a URL: proxies and debug pages echo requests.
 */
export function redact(received: unknown, secrets: readonly string[]): string | undefined {
  if (!received) return undefined
  const text = String(received).slice(0, 500)
  let clean = text
  for (const secret of [...secrets, ...secrets.map(encodeURIComponent)]) {
    const size = Math.min(6, secret.length)
    // Along the text: it is shorter than a secret that a buyer chose.
    for (let start = 0; start + size <= text.length; start += 1) {
      const part = text.slice(start, start + size)
      if (secret.includes(part)) clean = clean.replaceAll(part, '…')
    }
  }
  // With what is left of the end of a repetition.
  return clean.replace(/[^\s"<>:=,]{1,64}@[^\s"<]+|…+[\w-]{0,5}/g, '…')
}

/** A copy of what was thrown, without secrets. Of an error beneath it, code and message: those of the system. */
export function toCause(thrown: unknown, secrets: readonly string[]): ErrorCause {
  const { name, message = thrown, code, cause } = Object(thrown)
  return {
    name: redact(name, secrets),
    code: redact(cause?.code ?? code, secrets),
    message: redact([message, cause?.message].filter(Boolean).join(': '), secrets),
  }
}

/** The start of a body, without secrets and without the texts of its JSON, which may be those of a purchase; `status` and `msg` are shown. */
export const redactBody = (body: string, secrets: readonly string[]): string | undefined =>
  redact(
    body
      .slice(0, 500)
      .replace(/("(?:status|msg)"\s*:\s*)?"[^"\\]*(?:\\.[^"\\]*)*(?:"|$)(\s*:)?/g, (text, shown, colon) =>
        shown || colon ? text : '"…"',
      ),
    secrets,
  )
