import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRecorder } from '../../src/domain/audit-log.ts'
import { createSigningKeys } from '../../src/domain/signing-keys.ts'
import type { TestService } from './harness.ts'

/** What changes signing keys, as the console does it. */
export const signingKeysIn = ({ opened: { database, vault } }: Pick<TestService, 'opened'>) => {
  const clock = () => new Date()
  return createSigningKeys({ ...database, vault, clock, record: createRecorder({ clock, actor: 'cli' }) })
}

const ed25519 = Buffer.from('302a300506032b6570032100', 'hex')

/** Whether OpenSSL finds that a public key signed a JWS. */
export function opensslVerifies(pass: string, publicKey: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-'))
  const put = (name: string, bytes: string | Buffer) => {
    writeFileSync(join(folder, name), bytes)
    return join(folder, name)
  }
  const end = pass.lastIndexOf('.')
  const key = put('key', Buffer.concat([ed25519, Buffer.from(publicKey, 'base64url')]))
  const text = put('text', pass.slice(0, end))
  const signature = put('signature', Buffer.from(pass.slice(end + 1), 'base64url'))
  const options = ['-pubin', '-keyform', 'DER', '-inkey', key, '-rawin', '-in', text, '-sigfile', signature]
  try {
    execFileSync('openssl', ['pkeyutl', '-verify', ...options], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const partsOf = (pass: string) =>
  pass
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
