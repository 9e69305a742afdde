/** What breaks a rule today, and what takes its place where the database is spread. docs/scaling.md shows this as a table. */
export interface Known {
  rules: readonly string[]
  /** The names of what breaks it: `Model.field`, or the end of a file's path. */
  where: readonly string[]
  change: string
}

const postgres = 'apps/api/src/db/postgres'
const ofImport = 'apps/api/src/import-export/postgres'

export const known: readonly Known[] = [
  {
    rules: ['keys hold the workspace'],
    where: ['Item.id'],
    change:
      'Citus: the key becomes workspace and id; a table of ids that is everywhere keeps an id from being there twice in the deployment',
  },
  {
    rules: ['no counted ids'],
    where: ['Deployment.id', 'AuditHead.id'],
    change: 'nothing: one row each',
  },
  {
    rules: ['no counted ids'],
    where: ['AuditEntry.number'],
    change:
      'nothing: the chain has one end whatever it is kept in, and an entry is written when an operator acts, not when a caller asks',
  },
  {
    rules: ['no JSON whose order counts'],
    where: ['Account.socialLinks', 'Item.options', 'Item.screenshots', 'Item.tags'],
    change: 'CockroachDB: the columns become text that holds JSON',
  },
  {
    rules: ['no sequences', 'no triggers', 'no PERFORM in functions'],
    where: ['prisma/migrations-postgresql/20261121140800_revisions/migration.sql'],
    change:
      'the code that writes sets the number of the catalogue in its transaction, and an import compares that number instead of a count of writes',
  },
  {
    rules: ['no triggers'],
    where: ['prisma/migrations-postgresql/20261121141100_audit/migration.sql'],
    change:
      'the rights of the role: it may add to the log and nothing else; “audit verify” finds what somebody changed all the same',
  },
  {
    rules: ['no PERFORM in functions'],
    where: ['prisma/migrations-postgresql/20261121153000_console/migration.sql'],
    change: 'the function is made with the collation of that database written into it',
  },
  {
    rules: ['no advisory locks'],
    where: [`${postgres}/migrate.ts`],
    change: 'CockroachDB: one Job migrates, as the manifests have it',
  },
  {
    rules: ['no advisory locks'],
    where: [`${postgres}/write-lock.ts`],
    change:
      'CockroachDB: the row of the audit log’s end is locked instead, which every writer does next anyhow',
  },
  {
    rules: ['no locks on tables'],
    where: [`${postgres}/exclusive-lock.ts`],
    change:
      'YugabyteDB: who transfers a deployment or rotates its secret stops every instance; one that was forgotten is found by its connections',
  },
  {
    rules: ['statements on spread tables name their workspace'],
    where: ['apps/api/src/api/fast-path/postgres/queries.ts'],
    change:
      'Citus: the key is looked up first, in the copy that is on every machine, and the answer by its workspace',
  },
  {
    rules: ['no locks on tables'],
    where: [`${ofImport}/target.ts`],
    change: 'YugabyteDB: the rows of the workspaces that a file is about are locked instead',
  },
  {
    rules: ['no temporary tables'],
    where: [`${ofImport}/staging.ts`],
    change: 'CockroachDB: a setting of the session allows them, or tables that the import names and drops',
  },
]
