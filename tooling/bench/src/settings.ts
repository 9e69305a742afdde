/** How long and how often is measured. */
export interface Settings {
  rounds: number
  seconds: number
  warmUpSeconds: number
  /** How many answers each connection gets in a run at least: a long list would not be done in the seconds above. */
  answersPerConnection: number
  latencySeconds: number
  /** Of which servers the latency at half the peak rate is taken. */
  latencyOf: (server: string) => boolean
  /** How often a start and a first list are timed. */
  starts: number
  connections: number
  serverCore: number | undefined
  loadCore: number | undefined
}

interface SettingsOptions {
  quick: boolean
  cores: number
}

/** On a machine with one core nothing can be pinned, and the load takes its time from the server. */
const coresOf = (cores: number) =>
  cores > 1 ? { serverCore: 0, loadCore: 1 } : { serverCore: undefined, loadCore: undefined }

export function createSettings({ quick, cores }: SettingsOptions): Settings {
  const length = quick
    ? {
        rounds: 3,
        seconds: 0.25,
        warmUpSeconds: 0.1,
        answersPerConnection: 2,
        latencySeconds: 0.3,
        starts: 2,
      }
    : { rounds: 5, seconds: 2, warmUpSeconds: 1, answersPerConnection: 8, latencySeconds: 3, starts: 7 }
  return {
    ...length,
    latencyOf: (server) => !quick || server.startsWith('saleproof'),
    connections: 32,
    ...coresOf(cores),
  }
}
