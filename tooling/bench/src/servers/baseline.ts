import { serveBaseline } from '../competitors/serve-baseline.ts'
import { createSqliteReads } from '../competitors/sqlite-reads.ts'

serveBaseline(createSqliteReads(process.env.DATABASE ?? ''))
