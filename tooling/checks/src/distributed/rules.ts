import type { Model } from './models.ts'
import { placement, spread } from './placement.ts'
import type { Document } from './sources.ts'
import type { Statement } from './statements.ts'

interface Common {
  name: string
  /** What is not taken, and by which. */
  why: string
  sources: readonly Document[]
}

export interface ModelRule extends Common {
  /** What of a model breaks the rule, as `Model.field`. */
  find: (model: Model) => readonly string[]
}

export interface StatementRule extends Common {
  breaks: (statement: Statement) => boolean
}

const isSpread = (name: string) => placement[name] === 'workspace'

export const modelRules: readonly ModelRule[] = [
  {
    name: 'keys hold the workspace',
    why: 'Citus keeps a primary or unique key of a spread table only where the column that spreads it is in the key',
    sources: ['citusTables'],
    find: ({ name, keys }) =>
      isSpread(name)
        ? keys
            .filter((columns) => !columns.includes('workspaceId'))
            .map((columns) => `${name}.${columns.join('+')}`)
        : [],
  },
  {
    name: 'references stay in the workspace',
    why: 'Citus checks references between spread tables by the column that spreads them, and none from a table that is everywhere to one that is spread',
    sources: ['citusTables'],
    find: ({ name, relations }) =>
      relations
        .filter(
          ({ target, columns }) => isSpread(target) && !(isSpread(name) && columns.includes('workspaceId')),
        )
        .map(({ target }) => `${name} to ${target}`),
  },
  {
    name: 'no counted ids',
    why: 'numbers that only grow are all written in one place: a hot spot in CockroachDB, two calls between machines each in YugabyteDB',
    sources: ['cockroachSequences', 'yugabyteSequences'],
    find: ({ name, fields, keys }) => [
      ...fields.filter(({ isCounted }) => isCounted).map((field) => `${name}.${field.name}`),
      ...fields
        .filter(({ name: field, type }) => type === 'Int' && keys.some(([first]) => first === field))
        .map((field) => `${name}.${field.name}`),
    ],
  },
  {
    name: 'no JSON whose order counts',
    why: 'in CockroachDB JSON is another name for JSONB, which sorts the members of an object',
    sources: ['cockroachJson'],
    find: ({ name, fields }) =>
      fields.filter(({ type }) => type === 'Json').map((field) => `${name}.${field.name}`),
  },
]

const matching =
  (pattern: RegExp) =>
  ({ sql }: Statement) =>
    pattern.test(sql)

const touches = ({ sql }: Statement) =>
  spread.some((table) => new RegExp(`\\b(?:FROM|JOIN|UPDATE|INTO)\\s+(?:ONLY\\s+)?"${table}"`, 'i').test(sql))

/** Whether a statement says of which workspace it speaks before it reads anything. */
const namesWorkspace = ({ sql }: Statement) =>
  /"workspaceId"\s*=\s*(?:\$\d|ANY\s*\()/.test(sql) || /^\s*INSERT INTO "\w+" \([^)]*"workspaceId"/.test(sql)

export const statementRules: readonly StatementRule[] = [
  {
    name: 'no sequences',
    why: 'each number is a write in one place: CockroachDB warns of hot spots, YugabyteDB of two calls between machines',
    sources: ['cockroachSequences', 'yugabyteSequences'],
    breaks: matching(/\b(?:CREATE SEQUENCE|nextval\s*\(|(?:BIG|SMALL)?SERIAL\b|GENERATED .+ AS IDENTITY)/i),
  },
  {
    name: 'no advisory locks',
    why: 'CockroachDB has none; some are there and do nothing',
    sources: ['cockroachUnsupported'],
    breaks: matching(/pg_(?:try_)?advisory_/i),
  },
  {
    name: 'no LISTEN and NOTIFY',
    why: 'neither CockroachDB nor YugabyteDB has events',
    sources: ['cockroachUnsupported', 'yugabyteUnsupported'],
    breaks: matching(/^\s*(?:UN)?LISTEN\b|^\s*NOTIFY\b|pg_notify\s*\(/i),
  },
  {
    name: 'no deferred constraints',
    why: 'neither CockroachDB nor YugabyteDB has them',
    sources: ['cockroachForeignKeys', 'yugabyteUnsupported'],
    breaks: matching(/\bDEFERRABLE\b|\bSET CONSTRAINTS\b/i),
  },
  {
    name: 'no triggers',
    why: 'Citus refuses them on tables that are spread or everywhere; CockroachDB and YugabyteDB have none with REFERENCING, CockroachDB none for a statement',
    sources: ['citusTriggers', 'cockroachTriggers', 'yugabyteUnsupported'],
    breaks: matching(/\bCREATE (?:OR REPLACE )?(?:CONSTRAINT )?TRIGGER\b/i),
  },
  {
    name: 'no PERFORM in functions',
    why: 'CockroachDB has no PERFORM and no EXECUTE in functions',
    sources: ['cockroachFunctions'],
    breaks: matching(/\bPERFORM\b|\bEXECUTE\s+format\b/i),
  },
  {
    name: 'no locks on tables',
    why: 'YugabyteDB has none',
    sources: ['yugabyteUnsupported'],
    breaks: matching(/^\s*LOCK\s+TABLE\b/i),
  },
  {
    name: 'no temporary tables',
    why: 'in CockroachDB they are an experiment that is switched off',
    sources: ['cockroachSequences'],
    breaks: matching(/\bCREATE\s+(?:GLOBAL |LOCAL )?TEMP(?:ORARY)?\s+TABLE\b/i),
  },
  {
    name: 'nothing of PostgreSQL’s own storage',
    why: 'YugabyteDB has no exclusion constraints, GiST, inheritance, unlogged tables and transaction ids; CockroachDB no domains and ranges',
    sources: ['yugabyteUnsupported', 'cockroachUnsupported'],
    breaks: matching(
      /\bEXCLUDE\s+USING\b|\bUSING\s+gist\b|\bINHERITS\b|\bUNLOGGED\b|\bxmin\b|\bctid\b|pg_current_xact|txid_|\bCREATE DOMAIN\b|\b(?:int8|ts|tstz|num|date)range\b/i,
    ),
  },
  {
    name: 'rows are locked in one workspace',
    why: 'Citus locks rows for a statement only where it reads one shard',
    sources: ['citusQueries'],
    breaks: (statement) =>
      /\bFOR (?:NO KEY )?(?:UPDATE|SHARE)\b/i.test(statement.sql) &&
      touches(statement) &&
      !namesWorkspace(statement),
  },
  {
    name: 'statements on spread tables name their workspace',
    why: 'only then one machine answers; everything else asks all of them, and Citus takes less SQL for that',
    sources: ['citusQueries'],
    breaks: (statement) => !statement.isMigration && touches(statement) && !namesWorkspace(statement),
  },
]
