import { parseAst } from 'rolldown/parseAst'
import { files, read, sources } from '../repository.ts'
import { type Node, walk } from '../syntax.ts'

/** A statement that PostgreSQL is sent. */
export interface Statement {
  file: string
  sql: string
  isMigration: boolean
}

/** The statements of a script: bodies of functions, between `$$`, stay whole. */
export function split(script: string): string[] {
  const withoutComments = script.replaceAll(/^\s*--.*$/gm, '')
  return withoutComments
    .split(/(\$\$[\s\S]*?\$\$)/)
    .reduce<string[]>(
      (found, piece) => {
        const [first = '', ...rest] = piece.startsWith('$$') ? [piece] : piece.split(/;\s*(?:\n|$)/)
        return [...found.slice(0, -1), `${found.at(-1)}${first}`, ...rest]
      },
      [''],
    )
    .map((statement) => statement.trim())
    .filter(Boolean)
}

const begins =
  /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|COPY|LOCK|LISTEN|NOTIFY|UNLISTEN|CREATE|ALTER|DROP|TRUNCATE|SET|VALUES|BEGIN|DECLARE|FETCH|REINDEX|VACUUM|ANALYZE)\b/

/** A part of a statement that is put together elsewhere: it names a table. */
const names = /\b(?:FROM|JOIN|INTO|UPDATE)\s+"[A-Z]\w+"/

const isSql = (text: string) => begins.test(text) || names.test(text)

interface Quasi extends Node {
  value: { cooked: string }
}

/** Text and template literals of a file that are SQL; what is put into a template shows as `…`. */
function literals(file: string): string[] {
  const found: string[] = []
  walk(parseAst(read(file), { lang: 'ts' }) as unknown as Node, (node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') found.push(node.value)
    if (node.type === 'TemplateLiteral')
      found.push((node.quasis as Quasi[]).map(({ value }) => value.cooked).join('…'))
  })
  return found.filter(isSql)
}

/** Code that speaks to PostgreSQL says so in its path. */
const isPostgres = (file: string) => /^apps\/api\/src\/.*postgres/i.test(file)

export const statementsIn = (file: string): Statement[] =>
  literals(file).map((sql) => ({ file, sql, isMigration: false }))

const ofMigrations = files
  .filter((file) => /^apps\/api\/prisma\/migrations-postgresql\/.+\.sql$/.test(file))
  .flatMap((file) => split(read(file)).map((sql) => ({ file, sql, isMigration: true })))

/** Every statement for PostgreSQL: of the migrations, and of the code. */
export const statements: readonly Statement[] = [
  ...ofMigrations,
  ...sources.filter(isPostgres).flatMap(statementsIn),
]
