import type { GateStore } from './gate/gate-store.ts'
import { type RawStore, type SealOptions, sealStore } from './gate/seal.ts'
import { check, isFunction } from './options.ts'

/** What a store needs of a namespace of Durable Objects. */
export interface DurableObjects {
  idFromName(name: string): unknown
  get(id: never): { fetch(url: string, init: object): Promise<{ json(): Promise<unknown> }> }
}

/** What {@link SaleproofObject} needs of its storage. */
export interface ObjectStorage {
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

  /** Gives the stored text: that of a PUT only where it replaced the expected one. */
  async fetch(request: Request): Promise<Response> {
    const body = request.method === 'PUT' ? await request.json() : {}
    const { text, keepMs, previous } = body as { text?: string; keepMs: number; previous?: string | null }
    const stored = (await this.#storage.get('text')) ?? null
    if (request.method === 'DELETE') await this.alarm()
    if (text === undefined || (previous !== undefined && previous !== stored)) return Response.json(stored)
    await this.#storage.put('text', text)
    await this.#storage.setAlarm(Date.now() + keepMs)
    return Response.json(text)
  }

  alarm(): Promise<void> {
    return this.#storage.deleteAll()
  }
}

/**
 * Keeps the results of a gate in Durable Objects of {@link SaleproofObject}, for all isolates: each sees at once what another one wrote.
 * Sealed as by `sealStore`.
 *
 * @example
 * const store = createDurableObjectsStore(env.PURCHASES, { pepper: env.SALEPROOF_PEPPER })
 */
export function createDurableObjectsStore(objects: DurableObjects, options: SealOptions): GateStore {
  check('objects', Object(objects).idFromName, isFunction)

  async function send(key: string, method: string, body?: object) {
    const object = objects.get(objects.idFromName(key) as never)
    const response = await object.fetch('https://saleproof.invalid/', { method, body: JSON.stringify(body) })
    return (await response.json()) as string | null
  }
  const raw: RawStore = {
    get: (key) => send(key, 'GET'),
    set: (key, text, keepMs) => send(key, 'PUT', { text, keepMs }),
    // An object does one thing at a time.
    replace: async (key, previous, text, keepMs) =>
      (await send(key, 'PUT', { text, keepMs, previous: previous ?? null })) === text,
    delete: (key) => send(key, 'DELETE'),
  }
  return sealStore(raw, options)
}
