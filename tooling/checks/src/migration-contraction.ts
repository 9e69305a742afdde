/** A migration for PostgreSQL. */
export interface Migration {
  /** The name of its folder. */
  name: string
  sql: string
}

interface Rule {
  violation: string
  breaks: (statement: string, isNew: (table: string) => boolean) => boolean
}

/** The statements of a script; quoted texts and function bodies stay whole. */
const splitStatements = (script: string): string[] =>
  [...script.replaceAll(/^\s*--.*$/gm, '').matchAll(/(?:\$\$[\s\S]*?\$\$|'[^']*'|[^;])+/g)]
    .map(([statement]) => statement.trim())
    .filter(Boolean)

const tableAfter = (keywords: string) => (statement: string) =>
  new RegExp(`^${keywords}\\s+(?:ONLY\\s+|IF\\s+(?:NOT\\s+)?EXISTS\\s+)*"?(\\w+)"?`, 'i').exec(statement)?.[1]

const createdTable = tableAfter('CREATE TABLE')
const alteredTable = tableAfter('ALTER TABLE')
const uniquelyIndexedTable = tableAfter('CREATE UNIQUE INDEX[\\s\\S]*?\\sON')

const matches =
  (pattern: RegExp): Rule['breaks'] =>
  (statement) =>
    pattern.test(statement)

/** Matches statements about tables that the previous build knows. */
const matchesOnOldTable =
  (tableOf: (statement: string) => string | undefined, pattern: RegExp): Rule['breaks'] =>
  (statement, isNew) => {
    const table = tableOf(statement)
    return table !== undefined && !isNew(table) && pattern.test(statement)
  }

// Everything that the previous build reads, writes or relies on.
const rules: readonly Rule[] = [
  { violation: 'drops something', breaks: matches(/^(?:DROP|ALTER\b[\s\S]*\bDROP)\b/i) },
  { violation: 'renames something', breaks: matches(/^ALTER\b[\s\S]*\bRENAME\b/i) },
  {
    violation: 'changes the type of a column',
    breaks: matchesOnOldTable(alteredTable, /\bALTER\s+(?:COLUMN\s+)?\S+\s+(?:SET\s+DATA\s+)?TYPE\b/i),
  },
  {
    violation: 'makes a column required',
    breaks: matchesOnOldTable(alteredTable, /\bSET\s+NOT\s+NULL\b/i),
  },
  {
    violation: 'adds a required column without a default',
    breaks: matchesOnOldTable(
      alteredTable,
      /\bADD\s+(?!CONSTRAINT)(?:COLUMN\s+)?(?![^,]*\bDEFAULT\b)[^,]*\bNOT\s+NULL\b/i,
    ),
  },
  {
    violation: 'adds a constraint',
    breaks: matchesOnOldTable(alteredTable, /\bADD\s+(?:CONSTRAINT|CHECK|UNIQUE|FOREIGN|PRIMARY|EXCLUDE)\b/i),
  },
  { violation: 'adds a unique index', breaks: matchesOnOldTable(uniquelyIndexedTable, /^/) },
  {
    violation: 'adds an enum value that the previous build cannot read',
    breaks: matches(/^ALTER\s+TYPE\b[\s\S]*\bADD\s+VALUE\b/i),
  },
  { violation: 'removes rows', breaks: matches(/^(?:DELETE|TRUNCATE)\b/i) },
  { violation: 'revokes privileges', breaks: matches(/^REVOKE\b/i) },
]

/**
 * Violations of "expand before contract". A migration may contract when its name ends with `_after_` and the number of an
 * earlier migration: builds with that one no longer use what is dropped.
 */
export function contractionsIn(migrations: readonly Migration[]): string[] {
  return migrations.flatMap(({ name, sql }, index) => {
    const [, required] = /_after_(\d{14})$/.exec(name) ?? []
    if (required !== undefined) {
      const isEarlier = migrations.slice(0, index).some((earlier) => earlier.name.startsWith(required))
      return isEarlier ? [] : [`${name}: there is no migration ${required} before it`]
    }
    const statements = splitStatements(sql)
    const created = new Set(statements.map(createdTable))
    return statements.flatMap((statement) =>
      rules
        .filter(({ breaks }) => breaks(statement, (table) => created.has(table)))
        .map(({ violation }) => `${name}: ${violation}`),
    )
  })
}
