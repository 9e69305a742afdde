import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Random } from '../support/random.ts'
import type { Cluster, Instance } from './cluster.ts'
import type { Workload } from './workload.ts'

const now = () => performance.now()

export interface Fault {
  name: string
  /** What else may fail at the same time: what is no more than one instance, or not needed by any. */
  joins?: boolean
  /** A hang of the database: requests wait for it, at first. */
  hangs?: boolean
  /** An instance does not respond at all: HAProxy waits for it in vain, or closes the connection of a caller. */
  silent?: boolean
  /** Two at once: the instance that HAProxy asks next may have to let it wait as well. */
  joined?: boolean
  /** Makes it, and heals it; gives when writes could be expected again: from then on others have to be stored. */
  run: () => Promise<number>
}

const endAll = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'shop'`
const tables = ['ApiKey', 'Purchase', 'Item', 'Workspace', 'Account', 'Deployment'] as const

export function createFaults(
  { database, redis, instances }: Cluster,
  { pick, below }: Random,
  workload: Workload,
) {
  const seconds = (least: number, most: number) => sleep(1000 * least + below(1000 * (most - least)))

  /** Something that happens to one instance, in the middle of a large import or not; the others have to go on. */
  const ofInstance = (act: (instance: Instance) => Promise<void>, some = instances) => {
    return async () => {
      const instance = pick(some)
      const importing = below(2) ? workload.sellManyAt(instance.url) : undefined
      if (importing) await sleep(below(2000))
      const began = now()
      await act(instance)
      await importing
      return began
    }
  }

  const during = async (begin: () => (() => void) | Promise<() => unknown>) => {
    const end = await begin()
    await seconds(4, 20)
    await end()
  }

  async function freeze(instance: Instance) {
    instance.signal('SIGSTOP')
    await seconds(5, 20)
    const killed = below(2)
    instance.signal('SIGCONT')
    if (!killed) return
    instance.signal('SIGKILL')
    await instance.restart()
  }

  async function kill(instance: Instance) {
    instance.signal('SIGKILL')
    await seconds(0, 5)
    await instance.restart()
  }

  async function replace(instance: Instance) {
    instance.signal('SIGTERM')
    const code = await instance.restart()
    if (code !== 0) workload.judgeWrong(`${instance.name} ended with ${code}`)
  }

  /** Ends a server, and starts it again. */
  const restart = (how?: 'crash') => async () => {
    await database.primary().stop(how)
    await seconds(0, 6)
    await database.primary().start()
    return now()
  }

  async function failOver() {
    await database.primary().stop('crash')
    await seconds(0, 6)
    const follow = await database.promote()
    for (const instance of instances) instance.lead(database.primary().port)
    const reachable = now()
    await follow()
    return reachable
  }

  async function freezeDatabase() {
    const thaw = database.primary().freeze()
    await seconds(4, 12)
    thaw()
    return now()
  }

  const lock = async () => {
    await database.asAdmin(async (client) => {
      await client.query(`BEGIN; LOCK TABLE "${pick(tables)}" IN ACCESS EXCLUSIVE MODE`)
      await seconds(2, 10)
      await client.query('COMMIT')
    })
    return now()
  }

  /** What an administrator does beside; the server may end meanwhile. */
  const administer = (act: (client: Client) => Promise<unknown>) => async () => {
    const began = now()
    await database.asAdmin(act).catch(() => {})
    return began
  }

  const vacuum = administer(async (client) => {
    await client.query(
      'SET vacuum_cost_limit = 10; SET vacuum_cost_delay = 50; SET statement_timeout = 20000',
    )
    await client.query('VACUUM ANALYZE "Purchase"')
  })

  const terminate = administer(async (client) => {
    for (let times = 1 + below(5); times > 0; times--) {
      await client.query(endAll)
      await sleep(below(1000))
    }
  })

  async function freezeRedis() {
    const began = now()
    redis.freeze()
    await seconds(3, 12)
    redis.thaw()
    return began
  }

  async function killRedis() {
    const began = now()
    await redis.stop()
    await seconds(1, 8)
    await redis.start()
    return began
  }

  const withNetwork = instances.filter(({ vanish }) => vanish)
  const faults: Fault[] = [
    { name: 'instance killed', joins: true, run: ofInstance(kill) },
    { name: 'instance frozen', joins: true, silent: true, run: ofInstance(freeze) },
    { name: 'instance replaced', joins: true, run: ofInstance(replace) },
    {
      name: 'instance cut off from its database',
      joins: true,
      hangs: true,
      run: ofInstance(({ cutOff }) => during(cutOff)),
    },
    { name: 'all connections terminated', joins: true, run: terminate },
    { name: 'table locked', run: lock },
    { name: 'slow vacuum', joins: true, run: vacuum },
    { name: 'primary restarted', run: restart() },
    { name: 'primary crashed', run: restart('crash') },
    { name: 'failover', run: failOver },
    { name: 'primary frozen', hangs: true, run: freezeDatabase },
    { name: 'Redis killed', joins: true, run: killRedis },
    { name: 'Redis frozen', joins: true, run: freezeRedis },
  ]
  if (withNetwork.length > 0)
    faults.push({
      name: 'machine of an instance vanished',
      joins: true,
      silent: true,
      run: ofInstance(({ vanish }) => during(vanish!), withNetwork),
    })
  return faults
}
