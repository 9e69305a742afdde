export interface Settings {
  rounds: number
  /** Of a round. */
  seconds: number
  warmUpSeconds: number
  /** Each connection gets so many responses in a round: a long list would not be complete in the seconds above. */
  responsesPerConnection: number
  latencySeconds: number
  /** Whether the latency of a server is measured. */
  latencyOf: (server: string) => boolean
  /** How many starts and first lists are timed. */
  starts: number
  connections: number
  serverCore: number | undefined
  loadCore: number | undefined
}

interface SettingsOptions {
  quick: boolean
  rounds: number | undefined
  pinned: boolean
}

export function createSettings({ quick, rounds, pinned }: SettingsOptions): Settings {
  const durations = quick
    ? {
        rounds: 3,
        seconds: 0.5,
        warmUpSeconds: 0.3,
        responsesPerConnection: 2,
        latencySeconds: 0.5,
        starts: 2,
      }
    : { rounds: 5, seconds: 2, warmUpSeconds: 1, responsesPerConnection: 8, latencySeconds: 3, starts: 7 }
  return {
    ...durations,
    rounds: rounds ?? durations.rounds,
    latencyOf: (server) => !quick || server.startsWith('saleproof'),
    connections: 32,
    serverCore: pinned ? 0 : undefined,
    loadCore: pinned ? 1 : undefined,
  }
}
