import { withTimeout } from '../with-timeout.ts'

type Methods<T> = { [Name in keyof T]: (params: never) => unknown }
type Params<Method> = Method extends (params: infer P) => unknown ? P : never
type Result<Method> = Method extends (params: never) => infer R ? Awaited<R> : never

/** Received from the other process, which runs the same build: its values are what the methods declare. */
type Message<Local> =
  | { type: 'saleproof:call'; id: number; method: keyof Local; params: never }
  | { type: 'saleproof:result'; id: number; result: never }

/** Our messages share the channel with those of Node.js and libraries. */
const isMessage = <Local>(message: unknown): message is Message<Local> =>
  typeof message === 'object' &&
  message !== null &&
  'type' in message &&
  (message.type === 'saleproof:call' || message.type === 'saleproof:result')

/** Calls methods of another process over a message channel, and runs the calls from there. */
export function createRpc<Remote extends Methods<Remote>, Local extends Methods<Local>>(
  send: (message: object) => void,
  local: Local,
) {
  const pending = new Map<number, (result: never) => void>()
  let lastId = 0

  return {
    /** Rejects with a `TimeoutError` when the result takes too long. */
    call<Name extends keyof Remote>(
      method: Name,
      params: Params<Remote[Name]>,
      timeoutMs: number,
    ): Promise<Result<Remote[Name]>> {
      const { promise, resolve } = Promise.withResolvers<Result<Remote[Name]>>()
      const id = ++lastId
      pending.set(id, resolve)
      send({ type: 'saleproof:call', id, method, params })
      return withTimeout(promise, timeoutMs).finally(() => pending.delete(id))
    },
    async receive(message: unknown): Promise<void> {
      if (!isMessage<Local>(message)) return
      if (message.type === 'saleproof:result') return pending.get(message.id)?.(message.result)
      const result = await local[message.method](message.params)
      send({ type: 'saleproof:result', id: message.id, result })
    },
  }
}
