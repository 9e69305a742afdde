import type { GateStore } from './gate/gate-store.ts'
import { type RawStore, type SealOptions, sealStore } from './gate/seal.ts'
import { check, isFunction } from './options.ts'

/** What a store needs of a namespace of Durable Objects. */
export interface DurableObjects {
  getByName(name: string): { fetch(url: string, init: object): Promise<{ json(): Promise<unknown> }> }
}

interface ObjectStorage {
  get(key: string): Promise<unknown>
  put(key: string, value: string): Promise<void>
  setAlarm(time: number): Promise<void>
  deleteAll(): Promise<void>
}

/** The class of the Durable Objects of {@link createDurableObjectsStore}, one for each entry: export it from the Worker. */
export class SaleproofObject {
  readonly #storage: ObjectStorage

  constructor(state: { readonly storage: ObjectStorage }) {
    this.#storage = state.storage
  }

  /** Gives the stored text, after it was replaced where it was the expected one. An empty text is none. */
  async fetch(request: Request): Promise<Response> {
    const { text, keepMs, previous } = Object(await request.json())
    const stored = (await this.#storage.get('text')) ?? ''
    if (text === undefined || (previous ?? stored) !== stored) return Response.json(stored)
    await this.#storage.put('text', text)
    await this.#storage.setAlarm(Date.now() + keepMs)
    return Response.json(text)
  }

  alarm(): Promise<void> {
    return this.#storage.deleteAll()
  }
}

/**
 * Keeps the results of a gate in Durable Objects, for all isolates: each sees at once what another one wrote. Sealed as by `sealStore`.
 *
 * @example
 * const store = createDurableObjectsStore(env.PURCHASES, { pepper: env.SALEPROOF_PEPPER })
 */
export function createDurableObjectsStore(objects: DurableObjects, options: SealOptions): GateStore {
  check('objects', Object(objects).getByName, isFunction)

  async function send(key: string, text?: string, keepMs?: number, previous?: string) {
    const init = { method: 'POST', body: JSON.stringify({ text, keepMs, previous }) }
    return (await objects.getByName(key).fetch('https://saleproof.invalid/', init)).json()
  }
  const raw: RawStore = {
    get: async (key) => String(await send(key)) || undefined,
    set: (key, text, keepMs) => send(key, text, keepMs),
    replace: async (key, previous = '', text, keepMs) => (await send(key, text, keepMs, previous)) === text,
    delete: (key) => send(key, '', 0),
  }
  return sealStore(raw, options)
}
