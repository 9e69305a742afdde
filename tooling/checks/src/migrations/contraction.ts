import { split } from '../distributed/statements.ts'

/** A migration of PostgreSQL: the name of its folder, and its statements. */
export interface Migration {
  name: string
  sql: string
}

interface Rule {
  what: string
  breaks: (statement: string, isNew: (table: string) => boolean) => boolean
}

const tableOf = (statement: string, before: RegExp) =>
  new RegExp(`${before.source}\\s+(?:ONLY\\s+|IF\\s+(?:NOT\\s+)?EXISTS\\s+)*"?(\\w+)"?`, 'i').exec(statement)?.[1]

const altered = (statement: string) => tableOf(statement, /^ALTER TABLE/)
const indexed = (statement: string) => tableOf(statement, /^CREATE UNIQUE INDEX[\s\S]*?\sON/)

/** Says so of statements about tables that the build before knows. */
const ofOld =
  (table: (statement: string) => string | undefined, form: RegExp): Rule['breaks'] =>
  (statement, isNew) => {
    const name = table(statement)
    return name !== undefined && !isNew(name) && form.test(statement)
  }

// What the build before reads, writes or relies on.
const rules: readonly Rule[] = [
  { what: 'drops something', breaks: (statement) => /^(?:DROP|ALTER\b[\s\S]*\bDROP)\b/i.test(statement) },
  { what: 'gives something another name', breaks: (statement) => /^ALTER\b[\s\S]*\bRENAME\b/i.test(statement) },
  { what: 'changes the type of a column', breaks: ofOld(altered, /\bALTER\s+(?:COLUMN\s+)?\S+\s+(?:SET\s+DATA\s+)?TYPE\b/i) },
  { what: 'refuses what was not given before', breaks: ofOld(altered, /\bSET\s+NOT\s+NULL\b/i) },
  {
    what: 'adds a column that has to be given',
    breaks: ofOld(altered, /\bADD\s+(?!CONSTRAINT)(?:COLUMN\s+)?(?![^,]*\bDEFAULT\b)[^,]*\bNOT\s+NULL\b/i),
  },
  { what: 'adds a constraint', breaks: ofOld(altered, /\bADD\s+(?:CONSTRAINT|CHECK|UNIQUE|FOREIGN|PRIMARY|EXCLUDE)\b/i) },
  { what: 'refuses values that are there twice', breaks: ofOld(indexed, /^/) },
  { what: 'adds a value that the build before cannot read', breaks: (statement) => /^ALTER\s+TYPE\b[\s\S]*\bADD\s+VALUE\b/i.test(statement) },
  { what: 'removes rows', breaks: (statement) => /^(?:DELETE|TRUNCATE)\b/i.test(statement) },
  { what: 'takes rights away', breaks: (statement) => /^REVOKE\b/i.test(statement) },
]

/** What migrations do that only a contraction may: one whose name says which other one a build has to know to do without. */
export function contractionsIn(migrations: readonly Migration[]): string[] {
  return migrations.flatMap(({ name, sql }, index) => {
    const [, needed] = /_after_(\d{14})$/.exec(name) ?? []
    if (needed !== undefined) {
      const isEarlier = migrations.slice(0, index).some((earlier) => earlier.name.startsWith(needed))
      return isEarlier ? [] : [`${name}: there is no migration ${needed} before it`]
    }
    const statements = split(sql)
    const made = new Set(statements.map((statement) => tableOf(statement, /^CREATE TABLE/)))
    return statements.flatMap((statement) =>
      rules.filter(({ breaks }) => breaks(statement, (table) => made.has(table))).map(({ what }) => `${name}: ${what}`),
    )
  })
}
