import { createPostgresReads } from '../competitors/postgres-reads.ts'
import { serveBaseline } from '../competitors/serve-baseline.ts'

serveBaseline(createPostgresReads(process.env.DATABASE ?? ''))
