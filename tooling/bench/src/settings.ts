import type { Options } from './options.ts'

export type Settings = ReturnType<typeof createSettings>

export const createSettings = ({ quick, rounds, pinned }: Pick<Options, 'quick' | 'rounds' | 'pinned'>) => ({
  rounds: rounds ?? (quick ? 3 : 5),
  /** The length of a round. */
  seconds: quick ? 0.5 : 2,
  warmUpSeconds: quick ? 0.3 : 1,
  /** Each connection gets so many responses in a round: a long list would not be complete in the seconds above. */
  responsesPerConnection: quick ? 2 : 8,
  latencySeconds: quick ? 0.5 : 2,
  latencyRounds: quick ? 1 : 5,
  /** Whether the latency of a server is measured. */
  latencyOf: (server: string) => !quick || server.startsWith('saleproof'),
  connections: 32,
  serverCore: pinned ? 0 : undefined,
  loadCore: pinned ? 1 : undefined,
})
