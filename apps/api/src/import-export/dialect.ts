/** What the statements of an import say in other words to each database. The rest of them is the same. */
export interface Dialect {
  /** Comes before the name of a stored table, and of a staged one. */
  main: string
  staging: string
  /** A join whose order is kept where the database would plan it badly. */
  orderedJoin: string
  /** A staged text as the value of a column of that type. */
  moment: (expression: string) => string
  choice: (expression: string, type: string) => string
  json: (expression: string) => string
  /** A moment to the second: files know whole seconds. */
  second: (moment: string) => string
  earlier: (one: string, other: string) => string
  /** Has the planner look at a table whose rows were changed, where it does not do so by itself: what it knew of them is wrong. */
  analyse?: (table: string) => string
  /**
   * Where an index can be made anew within a transaction and nobody has to wait for that: what asks for the indexes of a table, by name with
   * their statements, and what for the number of its last row.
   */
  rebuilds?: { indexesOf: (table: string) => string; lastRowOf: (table: string) => string }
}

export const sqlite: Dialect = {
  main: 'main.',
  staging: 'staging.',
  // Keeps the order of the joins, and with it that of the index on the codes.
  orderedJoin: 'CROSS JOIN',
  moment: (expression) => expression,
  choice: (expression) => expression,
  json: (expression) => expression,
  second: (moment) => `substr(${moment}, 1, 19)`,
  earlier: (one, other) => `min(${one}, ${other})`,
  rebuilds: {
    indexesOf: (table) =>
      `SELECT name, sql FROM main.sqlite_schema WHERE type = 'index' AND tbl_name = '${table}' AND sql LIKE 'CREATE INDEX%'`,
    lastRowOf: (table) => `SELECT coalesce(max(rowid), 0) AS row FROM main."${table}"`,
  },
}

export const postgresql: Dialect = {
  main: '',
  staging: 'pg_temp.',
  orderedJoin: 'JOIN',
  moment: (expression) => `(${expression})::timestamptz`,
  choice: (expression, type) => `(${expression})::"${type}"`,
  json: (expression) => `(${expression})::json`,
  second: (moment) => `date_trunc('second', ${moment})`,
  earlier: (one, other) => `least(${one}, ${other})`,
  analyse: (table) => `ANALYZE ${table}`,
}
