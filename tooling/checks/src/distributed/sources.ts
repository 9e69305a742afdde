/** Where the databases themselves say what they do not take; read in November 2026. */
export const documents = {
  citusTables: 'https://github.com/citusdata/citus_docs/blob/master/develop/reference_ddl.rst',
  citusQueries: 'https://github.com/citusdata/citus_docs/blob/master/develop/reference_workarounds.rst',
  citusTriggers: 'https://github.com/citusdata/citus/blob/main/src/backend/distributed/commands/trigger.c',
  cockroachUnsupported:
    'https://github.com/cockroachdb/docs/blob/main/src/current/_includes/v25.4/sql/unsupported-postgres-features.md',
  cockroachTriggers:
    'https://github.com/cockroachdb/docs/blob/main/src/current/_includes/v26.2/known-limitations/trigger-limitations.md',
  cockroachFunctions:
    'https://github.com/cockroachdb/docs/blob/main/src/current/_includes/v26.2/known-limitations/plpgsql-limitations.md',
  cockroachForeignKeys: 'https://github.com/cockroachdb/cockroach/issues/31632',
  cockroachJson: 'https://github.com/cockroachdb/docs/blob/main/src/current/v25.4/jsonb.md',
  cockroachSequences: 'https://github.com/cockroachdb/docs/blob/main/src/current/v25.4/create-sequence.md',
  yugabyteUnsupported:
    'https://github.com/yugabyte/yugabyte-db/blob/master/docs/content/stable/develop/postgresql-compatibility.md',
  yugabyteSequences:
    'https://github.com/yugabyte/yugabyte-db/blob/master/docs/content/stable/api/ysql/commands/ddl_create_sequence.md',
} as const

export type Document = keyof typeof documents
