import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { spawnSaleproof, spawnServe } from '../support/process.ts'
import { records } from '../support/records.ts'
import { answersOf, awkward } from './deployments.ts'
import { environmentFor, startShop } from './servers.ts'

// What a distributed PostgreSQL has to know: a statement of the operations reads rows of one workspace alone. The server itself says how it
// ran each statement (auto_explain): every scan of a table whose rows belong to a workspace or the join with it, has the
// workspace in its condition.

/** Distributed by workspace. */
const byWorkspace = [
  'ApiKeyItem',
  'Item',
  'Purchase',
  'PurchaseChange',
  'PurchaseWord',
  'Revision',
  'SalesTotal',
]
/** On every machine: they resolve the key, or say which deployment it is. */
const everywhere = ['Account', 'ApiKey', 'Deployment', 'SigningKey', 'Workspace', '_prisma_migrations']
/** What requests leave behind, which is written apart from them. */
const usage = [
  'Counts',
  'CountsWritten',
  'FailedCode',
  'ItemRemoval',
  'KeyAddress',
  'KeyUse',
  'KnownCode',
  'PurchaseUse',
]

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  Alias?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  Filter?: string
  'Join Filter'?: string
  'Hash Cond'?: string
  'Merge Cond'?: string
  Plans?: Plan[]
}

interface Statement {
  'Query Text': string
  Plan: Plan
}

const explain = {
  shared_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': 0,
  'auto_explain.log_format': 'json',
  'auto_explain.log_nested_statements': 'on',
  log_line_prefix: '@@%a@@ ',
}

/** The statements that connections of the service ran, with their plans. */
const statementsIn = (log: string): Statement[] =>
  log
    .split(/^@@/m)
    .filter((entry) => entry.startsWith('saleproof@@'))
    .flatMap((entry) => {
      const plan = entry.indexOf('plan:\n')
      return plan < 0 ? [] : [JSON.parse(entry.slice(plan + 6).replaceAll('\n\t', '\n'))]
    })

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

const comparison = /(?:(\w+)\.)?"?workspaceId"? = (?:(\w+)\."?workspaceId"?)?/g

/** Whether a scan, or a join with what it found, compares its workspace. */
function comparesWorkspace(scan: Plan, joins: readonly Plan[]) {
  const own = [scan['Index Cond'], scan['Recheck Cond'], scan.Filter].join(' ')
  const joined = joins.map((join) => [join['Join Filter'], join['Hash Cond'], join['Merge Cond']].join(' '))
  const names = joined.flatMap((text) =>
    [...text.matchAll(comparison)].flatMap(([, one, other]) => [one, other]),
  )
  return /"?workspaceId"? = /.test(own) || names.includes(scan.Alias)
}

/** The scans of a table of workspaces that may give rows of several. */
function wideScansIn(plan: Plan, joins: readonly Plan[] = []): string[] {
  const table = plan['Relation Name']
  const isWide =
    table !== undefined &&
    plan['Node Type'].includes('Scan') &&
    byWorkspace.includes(table) &&
    !comparesWorkspace(plan, joins)
  return [
    ...(isWide ? [table] : []),
    ...(plan.Plans ?? []).flatMap((inner) => wideScansIn(inner, [...joins, plan])),
  ]
}

const wideScans = ({ 'Query Text': text, Plan: plan }: Statement) =>
  wideScansIn(plan).map((table) => `${table}: ${text}`)

const tablesOf = ({ Plan: plan }: Statement) => nodesOf(plan).flatMap((node) => node['Relation Name'] ?? [])

test.each(['on', 'off'])(
  'every statement of the operations stays inside one workspace, with the fast path %s',
  async (fastPath) => {
    let log = ''
    const shop = await startShop(explain, (text) => {
      log += text
    })
    const { folder: cwd, remove } = await temporaryFolder()
    const env = { ...environmentFor(shop.shop), SALEPROOF_FAST_PATH: fastPath }
    const imported = await spawnSaleproof(['import', '-'], {
      cwd,
      env,
      input: ndjson([...records, ...awkward]),
    })
    expect([imported.code, imported.stderr]).toEqual([0, expect.stringContaining('created')])
    const limits = {
      SALEPROOF_RATE_LIMIT: 'off',
      SALEPROOF_FAILURE_LIMIT: 'off',
      SALEPROOF_KEY_FAILURE_LIMIT: 'off',
    }
    const server = await spawnServe({ cwd, env: { ...env, ...limits } })
    // The log comes through a pipe.
    await sleep(500)
    log = ''
    const answers = await answersOf(server.url)
    server.signal('SIGTERM')
    await server.done
    await sleep(500)
    const statements = statementsIn(log)
    const tables = new Set(statements.flatMap(tablesOf))
    expect(answers.filter((answer) => answer.startsWith('200')).length).toBeGreaterThan(20)
    expect(statements.length).toBeGreaterThan(answers.length / 2)
    expect([...tables].filter((name) => ![...byWorkspace, ...everywhere, ...usage].includes(name))).toEqual(
      [],
    )
    for (const name of ['Item', 'Purchase', 'ApiKeyItem']) expect(tables).toContain(name)
    expect([...new Set(statements.flatMap(wideScans))]).toEqual([])

    // One that is not inside a workspace is found.
    log = ''
    const admin = await shop.admin()
    await admin.query(`SET application_name = 'saleproof'`)
    await admin.query(`SELECT 1 FROM "Purchase" WHERE "code" = 'x'`)
    await sleep(500)
    expect(statementsIn(log).flatMap(wideScans)).toEqual([
      `Purchase: SELECT 1 FROM "Purchase" WHERE "code" = 'x'`,
    ])
    await remove()
  },
)
