import { type Logger, pino } from 'pino'
import { createKeyVault } from '../../src/crypto/key-vault.ts'
import type { RequestEvent, ValidatedPurchase } from '../../src/http/request-event.ts'
import { createUsage } from '../../src/usage/usage.ts'
import { openUsageFile } from '../../src/usage/usage-file.ts'
import { createUsageStore, type UsageCall } from '../../src/usage/usage-store.ts'

type Before = (call: UsageCall) => void | Promise<void>

/** The store in a usage file. `before` is called before each of its methods. */
export function openUsage(databaseFile: string, before: Before = () => {}) {
  const file = openUsageFile(databaseFile)
  let last: Promise<unknown> = Promise.resolve()
  async function run(call: UsageCall) {
    await before(call)
    // As in the thread, one after another.
    const result = last.then(() => file.run(call))
    last = result.catch(() => {})
    return result
  }
  return { store: createUsageStore(run), run, close: file.close }
}

export const usageVault = createKeyVault('a secret')

interface UsageOfOptions {
  before?: Before
  logger?: Logger
}

/** Like a process of its own: it has its own connection, from its first write on. */
export function usageOf(
  databaseFile: string,
  now: () => number,
  { before, logger = pino({ level: 'silent' }) }: UsageOfOptions = {},
) {
  let opened: ReturnType<typeof openUsage> | undefined
  const store = createUsageStore(async (call) => {
    opened ??= openUsage(databaseFile, before)
    return opened.run(call)
  })
  const usage = createUsage({ store, vault: usageVault, logger, now })
  return { ...usage, store, close: () => usage.close().finally(() => opened?.close()) }
}

interface Validation extends Omit<Partial<RequestEvent>, 'validated'> {
  validated?: Pick<ValidatedPurchase, 'code' | 'itemId'> | undefined
}

/** A validation that succeeded, but for what is said of it. */
export const validation = ({ validated, ...event }: Validation): RequestEvent => ({
  method: 'POST',
  route: '/',
  operation: 'validatePurchase',
  status: 200,
  code: null,
  durationMs: 1,
  requestId: 'r',
  workspace: 1,
  keyId: 'k',
  rawHeaders: [],
  ...event,
  validated: validated && { licenseType: 'Regular', supportedUntil: undefined, ...validated },
})
