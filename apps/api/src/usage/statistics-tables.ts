import type { ErrorCode } from '@saleproof/schema'
import type { Database } from 'better-sqlite3'
import { type CountKind, type CountRow, sum } from './counts.ts'

/** The validation counts of one workspace. */
export interface Statistics {
  rows: { hour: number; kind: CountKind; name: string; code: ErrorCode | ''; count: number }[]
  /** The items with the most validations; `rows` contains no other items. */
  items: string[]
  /** In milliseconds since 1970; undefined where nothing was written yet. */
  flushedAt: number | undefined
}

export type StatisticsRow = Statistics['rows'][number]

export interface StatisticsQuery {
  workspaceId: string
  /** Hours since 1970; the first is included, the last is not. */
  from: number
  to: number
}

export const maxItems = 20

const tables = `
CREATE TABLE IF NOT EXISTS Counts (
  workspaceId TEXT NOT NULL, hour INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, code TEXT NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY (workspaceId, hour, kind, name, code)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS Counts_hour ON Counts (hour);
CREATE TABLE IF NOT EXISTS CountBatch (id INTEGER PRIMARY KEY, rows TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS CountsWritten (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL);
`

/**
 * The validation counts. Each flush appends one row, which costs the same however many items were sold. Once a minute those rows are
 * added to the counts of their hours.
 */
export function createStatisticsTables(database: Database) {
  database.exec(tables)
  const append = database.prepare('INSERT INTO CountBatch (rows) VALUES (?)')
  const written = database.prepare(
    'INSERT INTO CountsWritten (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = max(at, excluded.at)',
  )
  const batches = database.prepare<[], { id: number; rows: string }>('SELECT id, rows FROM CountBatch')
  const drop = database.prepare('DELETE FROM CountBatch WHERE id = ?')
  const add = database.prepare(
    `INSERT INTO Counts (workspaceId, hour, kind, name, code, count) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (workspaceId, hour, kind, name, code) DO UPDATE SET count = count + excluded.count`,
  )
  const prune = database.prepare('DELETE FROM Counts WHERE hour < ?')
  const ofKeys = database.prepare<[string, number, number], StatisticsRow>(
    `SELECT hour, kind, name, code, count FROM Counts
     WHERE workspaceId = ? AND hour >= ? AND hour < ? AND kind IN ('key', 'duration')`,
  )
  const top = database.prepare<[string, number, number, number], { name: string }>(
    `SELECT name FROM Counts WHERE workspaceId = ? AND hour >= ? AND hour < ? AND kind = 'item'
     GROUP BY name ORDER BY sum(count) DESC, name LIMIT ?`,
  )
  const ofItem = database.prepare<[string, number, number, string], StatisticsRow>(
    `SELECT hour, kind, name, code, count FROM Counts
     WHERE workspaceId = ? AND hour >= ? AND hour < ? AND kind = 'item' AND name = ?`,
  )
  const lastWritten = database.prepare<[], number>('SELECT at FROM CountsWritten').pluck()

  return {
    appendCounts: database.transaction((rows: readonly CountRow[], at: number) => {
      append.run(JSON.stringify(rows))
      written.run(at)
    }),

    /** Adds the appended rows to their hours, and deletes hours before the oldest one to keep. */
    rollUp: database.transaction((oldestHour: number) => {
      const found = batches.all()
      for (const row of sum(found.map(({ rows }): CountRow[] => JSON.parse(rows)))) add.run(...row)
      for (const { id } of found) drop.run(id)
      prune.run(oldestHour)
    }),

    statistics({ workspaceId, from, to }: StatisticsQuery): Statistics {
      const items = top.all(workspaceId, from, to, maxItems).map(({ name }) => name)
      const rows = ofKeys.all(workspaceId, from, to)
      for (const item of items) rows.push(...ofItem.all(workspaceId, from, to, item))
      return { rows, items, flushedAt: lastWritten.get() }
    },
  }
}
