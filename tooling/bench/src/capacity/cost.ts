/** What a validation costs PostgreSQL and a purchase its disk, as `pnpm bench capacity --measure` found it. */
export interface DatabaseCost {
  measuredAt: string
  /** How many purchases the database held. */
  purchases: number
  /** Processor time of the statement that finds key and answer, in microseconds. */
  databaseMicroseconds: number
  /** What a purchase takes on the disk: in its table, and in the indexes on it. */
  rowBytes: number
  indexBytes: number
}

export interface Cost extends DatabaseCost {
  /** Processor time of a validation in the service, in microseconds. */
  serviceMicroseconds: number
}

/** What is not measured but chosen. */
export const assumptions = {
  /** Of the processors, at the busiest time: what is left is for the moment in which a machine fails. */
  busyPart: 0.5,
  /** An instance of the service. */
  instanceCores: 2,
  /** A machine of the database. */
  cores: 16,
  memoryGigabytes: 64,
  /** Of its memory, for what it has read. */
  cachePart: 0.75,
  /** The one that answers, and those that take over. */
  copies: 3,
  workspaces: 100_000,
  /** From an instance to the database and back. */
  networkMilliseconds: 0.5,
} as const
