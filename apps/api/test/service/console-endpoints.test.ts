import {
  type ConsoleEndpoint,
  type ConsoleEndpointName,
  type ConsoleRequests,
  consoleEndpoints,
} from '@saleproof/schema/console'
import { type SaleField, saleFields } from '@saleproof/schema/sales-file'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { saleproof } from '../support/command.ts'
import { type Browser, createBrowser, password } from '../support/console-client.ts'
import { databaseUrlIn } from '../support/database.ts'
import { startService, type TestService, temporaryFolder } from '../support/harness.ts'
import { codes, records } from '../support/records.ts'

let home: Awaited<ReturnType<typeof temporaryFolder>>
let service: TestService
let ada: Browser
beforeAll(async () => {
  home = await temporaryFolder()
  const withPassword = records.map((record) =>
    (record as { type: string }).type === 'account' ? { ...record, password } : record,
  )
  const env = { SALEPROOF_SIGN_IN_LIMIT: 'off' }
  service = await startService({ records: withPassword, folder: home.folder, env })
  ada = createBrowser(service.url)
  await ada.signIn('ada')
})
afterAll(async () => {
  await service.close()
  await home.remove()
})

const salesFile = new Blob(['Code,Date\nFILE-0001-0001-0001,2026-02-01\n'])

const active = { purchase_code: codes.active }
const sale = {
  type: 'purchase' as const,
  item: 101,
  purchase_code: 'HAND-0001-0001-0001',
  license_type: 'Regular',
  price: 19.99,
  currency: 'USD',
  date: '2026-01-01T00:00:00Z',
  downloaded: false,
}

interface Ids {
  key: string
  signingKey: string
  session: string
  newToken: () => Promise<string>
}

type Call<Name extends ConsoleEndpointName> = ConsoleRequests[Name] & { id?: string }

/** Calls that succeed, in this order: an endpoint without one does not compile. */
const calls: { [Name in ConsoleEndpointName]: (ids: Ids) => Call<Name>[] | Promise<Call<Name>[]> } = {
  getSession: () => [{}],
  signIn: () => [{ login: 'ada', password }],
  listSessions: () => [{}],
  endSession: ({ session }) => [{ id: session }],
  endOtherSessions: () => [{}],
  updateAccount: () => [{ name: { firstname: 'A', lastname: 'L', full_name: 'A L' } }],
  createWorkspace: () => [{ slug: 'another', name: 'Another' }],
  updateWorkspace: () => [{ name: 'Studio' }],
  listKeys: () => [{}],
  createKey: () => [{ name: 'Another', kind: 'secret' }],
  showKey: ({ key }) => [{ id: key, password }],
  rotateKey: ({ key }) => [{ id: key, ends_at: null }],
  revokeKey: ({ key }) => [{ id: key }],
  listSigningKeys: () => [{}],
  rotateSigningKey: () => [{}],
  retireSigningKey: ({ signingKey }) => [{ id: signingKey }],
  listItems: () => [{}],
  getItem: () => [{ id: '101' }],
  withdrawItem: () => [{ id: '101' }],
  restoreItem: () => [{ id: '101' }],
  editItem: () => [{ id: '101', changes: { version: '9.9.9' }, before: { version: '1.4.2' } }],
  searchPurchases: () => [{}],
  sumPurchases: () => [{}],
  getPurchase: () => [active],
  setPurchaseState: () => [{ ...active, state: 'refunded' }],
  editPurchase: () => [
    { ...active, changes: { customer_email: 'buyer@example.com' }, before: { customer_email: null } },
  ],
  eraseCustomer: () => [{ email: 'Buyer@example.com' }],
  removePurchase: () => [active],
  exportPurchases: () => [{ format: 'csv' }],
  check: () => [active],
  listActivity: () => [{}],
  getOverview: () => [{}],
  listFailedCodes: () => [{ reason: 'purchase_not_found' }],
  getSales: () => [{}],
  importRecords: () => [{ records: [sale], only_new: true }, { records: [{ ...sale, downloaded: true }] }],
  previewSales: () => [{ file: salesFile, choices: {} }],
  importSales: () => [
    {
      file: salesFile,
      choices: {
        file: 'sales.csv',
        profile: 'none',
        columns: {
          ...(Object.fromEntries(saleFields.map((field) => [field, -1])) as Record<SaleField, number>),
          purchase_code: 0,
          date: 1,
        },
        values: { item: 101, price: '5', currency: 'USD' },
        items: {},
        new_items: {},
        dates: 'dmy',
        time_zone: 'UTC',
        skip_invalid: false,
        dry_run: false,
      },
    },
  ],
  checkResetLink: async ({ newToken }) => [{ token: await newToken() }],
  resetPassword: async ({ newToken }) => [{ token: await newToken(), new_password: 'a new password' }],
  changePassword: () => [{ current_password: password, new_password: 'a new password' }],
  signOut: () => [{}],
}

async function newToken() {
  const { folder } = home
  const env = { DATABASE_URL: await databaseUrlIn(folder), PUBLIC_URL: 'https://market.example.com' }
  const { stdout } = await saleproof(['account', 'reset-link', 'ada'], { cwd: folder, env })
  return stdout.trim().split('#')[1]!
}

const recorded = () => service.database.prisma.auditEntry.findMany({ orderBy: { number: 'asc' } })

test('an endpoint records the activity that its definition names, and no other', async () => {
  const account = await service.database.prisma.account.findUniqueOrThrow({ where: { username: 'ada' } })
  const key = await ada.ask('createKey', { slug: 'ada-studio' }, { name: 'Server', kind: 'secret' })
  for (const name of Object.keys(calls) as ConsoleEndpointName[]) {
    const other = createBrowser(service.url)
    await other.signIn('ada')
    const { sessions } = await other.ask('listSessions', {})
    const session = sessions.find(({ current }) => !current)?.id ?? ''
    const where = { workspace: { slug: 'ada-studio' } }
    const signingKey = (await service.database.prisma.signingKey.findFirst({ where }))?.id ?? ''
    const requests = await calls[name]({ key: key.id, signingKey, session, newToken })
    const before = await recorded()
    for (const { id = '', ...request } of requests)
      expect(
        (await other.call(name, { slug: 'ada-studio', id } as never, request as never)).status,
        name,
      ).toBeLessThan(300)
    const actions = (await recorded()).slice(before.length).map(({ action }) => action)
    const { activity = [] }: ConsoleEndpoint = consoleEndpoints[name]
    expect(actions.sort(), name).toEqual([...activity].sort())
    const { id, passwordHash } = account
    await service.database.prisma.account.update({ where: { id }, data: { passwordHash } })
  }
})
