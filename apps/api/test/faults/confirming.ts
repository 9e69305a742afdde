/** Run by power-loss.test.ts, which kills it: sells and refunds as a service does, and says what it has confirmed. */
import { writeSync } from 'node:fs'
import { pino } from 'pino'
import { createRecorder } from '../../src/domain/audit-log.ts'
import { createPurchaseState } from '../../src/domain/purchase-state.ts'
import { openSqliteDeployment } from '../../src/open-sqlite.ts'
import { migrations } from '../support/folders.ts'
import { records } from '../support/records.ts'

const [cwd = '', name = ''] = process.argv.slice(2)
const clock = () => new Date()
const say = (text: string) => writeSync(1, `${text}\n`)

const opened = await openSqliteDeployment({
  databaseUrl: 'file:./test.db',
  secret: undefined,
  cwd,
  migrations,
  busyTimeoutMs: 50,
  clock,
  migrate: 'always',
})
opened.monitoring.start({ logger: pino({ enabled: false }), around: (_, run) => run() })
const record = createRecorder({ clock, actor: 'admin-import' })
const setState = createPurchaseState({ transact: opened.database.transact, clock, record })
const refund = (code: string) => setState(1, code, 'refunded')

// Commits nothing.
await refund('a code that nobody has')
say('ready')

async function* sale(purchase_code: string) {
  yield Buffer.from(JSON.stringify({ ...(records.at(-1) as object), item: 101, purchase_code }))
}

async function sell(shop: string) {
  for (let number = 0; ; number++) {
    const code = `${name}-${shop}-${number}-of-a-sale`
    await opened.importRecords({ source: sale(code), now: clock })
    say(`active ${code}`)
    if (number % 3) continue
    await refund(code)
    say(`refunded ${code}`)
  }
}

process.once('SIGTERM', () => void opened.close())
await Promise.all(['one', 'other'].map((shop) => sell(shop).catch(() => {})))
