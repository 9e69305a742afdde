import type { ClientBase, Pool } from 'pg'

/** Whatever takes a statement: one connection, or a pool of them. */
export type Queryable = Pick<Pool | ClientBase, 'query'>
