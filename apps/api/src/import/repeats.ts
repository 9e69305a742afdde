import { type RecordType, recordTypes } from './records.ts'
import { type StagedDatabase, stagedColumns } from './staging.ts'

/** What a record is known by, and the member that holds it. */
const identities: Readonly<Record<RecordType, { column: string; member: string }>> = {
  account: { column: 'username', member: 'username' },
  workspace: { column: 'slug', member: 'slug' },
  item: { column: 'id', member: 'id' },
  api_key: { column: 'keyHash', member: 'key' },
  purchase: { column: 'code', member: 'purchase_code' },
}

/** Made anew for each record: two records with the same content differ in them. */
const generated: Readonly<Partial<Record<RecordType, readonly string[]>>> = {
  account: ['id'],
  workspace: ['id', 'createdAt'],
  api_key: ['id', 'createdAt', 'keyCipher'],
}

const content = (type: RecordType) => stagedColumns(type).filter((name) => !generated[type]?.includes(name))

/** Indexes what is staged; the index on the codes also gives their order to the copy. */
export function indexStaged(db: StagedDatabase) {
  for (const type of recordTypes) {
    db.exec(`CREATE INDEX staging.${type}_identity ON ${type} (${identities[type].column})`)
  }
}

/** Codes are unique in their workspace only. */
const repeatsOf = (type: RecordType) => {
  const { column } = identities[type]
  const [partition, join] =
    type === 'purchase'
      ? ['w.slug, s.code', 'JOIN staging.sold_item w ON w.itemId = s.itemId']
      : [`s.${column}`, '']
  return `SELECT s.line, min(s.line) OVER (PARTITION BY ${partition}) AS first FROM staging.${type} s ${join}
    WHERE s.${column} IN (SELECT ${column} FROM staging.${type} GROUP BY ${column} HAVING count(*) > 1)`
}

/** Finds records given twice: those with the same content are dropped, of the others the later lines are given. */
export function findRepeats(db: StagedDatabase, report: (line: number, member: string) => void) {
  for (const type of recordTypes) {
    db.exec(`CREATE TABLE staging.repeated AS ${repeatsOf(type)}`)
    const row = (name: string) =>
      content(type)
        .map((column) => `${name}.${column}`)
        .join(', ')
    const differing = db.prepare<[], number>(
      `SELECT r.line FROM staging.repeated r JOIN staging.${type} a ON a.line = r.first
        JOIN staging.${type} b ON b.line = r.line WHERE (${row('a')}) IS NOT (${row('b')}) ORDER BY r.line`,
    )
    for (const line of differing.pluck().iterate()) report(line, identities[type].member)
    db.exec(
      `DELETE FROM staging.${type} WHERE line IN (SELECT line FROM staging.repeated WHERE line > first)`,
    )
    db.exec('DROP TABLE staging.repeated')
  }
}
