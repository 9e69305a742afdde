import { identify } from '../identify.ts'
import type { GateEntry, OpenStore } from './gate-store.ts'
import { resilientStore } from './resilient-store.ts'
import { createStoreClock } from './store-clock.ts'

// Longer than the longest wait between two probes.
const outageMs = 60_000
// How long a process asks alone: it may have been killed meanwhile.
const exclusiveMs = 2_000
const pollMs = 50
const maxYielded = 20
// How long a request may keep a program that has nothing else to do, which has gone on with grace.
const finishedMs = 1_000

// Pipes are the standard streams: they keep no program.
const ofRequest = /^((TCPSocket|TLS|GetAddrInfoReq|Pipe|TTY)Wrap|Timeout)$/

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Whether a program of Node.js would end but for so many requests, each with a socket and a timer. Other runtimes do not tell. */
function isFinished(requests: number): boolean {
  const { process } = globalThis
  let types: string[] = []
  try {
    // A worker of a cluster and a program of Electron run on by what is no resource. Wrangler's stand-in throws.
    if (!process.channel && !process.versions.electron) types = process.getActiveResourcesInfo()
  } catch {}
  const isFew = (type: string) => types.filter((each) => each === type).length <= requests
  return (
    types.includes('TCPSocketWrap') &&
    isFew('TCPSocketWrap') &&
    isFew('Timeout') &&
    types.every((type) => ofRequest.test(type))
  )
}

/** The entry of no code. */
const outageKey = (key: string) => key.slice(0, key.indexOf(' ') + 1)

/** Opens the store of a gate. */
export const openStore: OpenStore = ({ store, now, ttlMs, negativeTtlMs, graceMs, endOf, log }) => {
  const guessMs = Math.max(negativeTtlMs, 60_000)
  // A no outlives the grace that it ended, and a code that was valid is asked about before guesses for a day at least.
  const keepMs = Math.max(86_400_000, ttlMs, graceMs)
  const entries = resilientStore(store, async (thrown) => {
    const { name, code, message } = Object(thrown)
    try {
      await log?.({ event: 'store-error', error: { name, code, message } })
    } catch {}
  })
  const { sync, save, ageOf, trust } = createStoreClock(now, entries, keepMs)
  // A client of another make shares its results with none.
  const unidentified = String(Math.random())

  /** Whether a pass proves an entry, which anybody may have written. A client without passes believes the pepper. */
  async function isProven({ purchase, pass, until }: GateEntry, code: string): Promise<boolean> {
    if (!purchase || !endOf) return true
    return until === (await endOf(pass, code, purchase)) && until > now()
  }

  let running = 0
  /** How often in a row another process had asked. Without a limit a store that never replaces would keep checks waiting. */
  let yielded = 0

  /** Waits until this process may ask; `false` once another one has asked. */
  async function takeTurn(mark: string): Promise<boolean> {
    async function take(last?: GateEntry) {
      const entry = { outcome: 'clock', at: now() } as const
      const isTaken = (await entries.replace(mark, last, entry, exclusiveMs)) !== false
      yielded = isTaken ? 0 : yielded + 1
      return isTaken
    }
    if ((await take()) || yielded > maxYielded) return true
    let last: GateEntry | undefined
    for (let waitedMs = 0; waitedMs < exclusiveMs; waitedMs += pollMs) {
      await pause(pollMs)
      last = await entries.get(mark)
      if (!last) return false
    }
    return take(last)
  }

  return {
    async find(code, settings) {
      const id = (settings && (await identify(settings))) ?? unidentified
      await sync(id)
      const key = `${id} ${code}`
      const entry = await entries.get(key)
      // Last: a write may take long.
      await save()
      return { key, entry, age: entry && (await isProven(entry, code)) ? ageOf(entry.at) : Number.NaN }
    },
    set: (key, entry, isGuess, last) =>
      entry.purchase && store.replace
        ? entries.replace(key, last, entry, keepMs)
        : entries.set(key, entry, isGuess ? guessMs : keepMs),
    remove: entries.delete,
    trust,
    async run(key, work, isProbe) {
      const mark = `asking ${key}`
      const isAlone = isProbe || !store.replace
      if (!isAlone && !(await takeTurn(mark))) return undefined
      running += 1
      const controller = new AbortController()
      const timer = setInterval(() => isFinished(running) && controller.abort(), finishedMs)
      // A number elsewhere.
      timer.unref?.()
      try {
        return await work(controller.signal)
      } catch (error) {
        // A check that waits for the result asks again.
        if (controller.signal.aborted) return undefined
        throw error
      } finally {
        clearInterval(timer)
        running -= 1
        if (!isAlone) await entries.delete(mark)
      }
    },
    noteOutage: (key, isOutage) =>
      isOutage
        ? entries.set(outageKey(key), { outcome: 'clock', at: now() }, outageMs)
        : entries.delete(outageKey(key)),
    async hasOutage(key) {
      const entry = await entries.get(outageKey(key))
      return Math.abs(now() - Number(entry?.at)) < outageMs
    },
  }
}
