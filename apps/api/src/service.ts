import type { ErrorCode } from '@saleproof/schema'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { mountDocs } from './docs/docs.ts'
import { createAccounts } from './domain/accounts.ts'
import { createApiKeys } from './domain/api-keys.ts'
import { createItems } from './domain/items.ts'
import { createPurchases } from './domain/purchases.ts'
import { createApp } from './http/app.ts'
import { createProxies } from './http/proxies.ts'
import { createPublicAddress } from './http/public-address.ts'
import { createRefusals } from './http/refusals.ts'
import { createHttpServer, listen, stop } from './http/server.ts'
import { importInWorker } from './import/import-in-worker.ts'
import type { Store } from './store.ts'
import { version } from './version.ts'

interface ServiceOptions {
  config: Config
  store: Store
  logger: Logger
  clock: () => Date
}

/** The composition root: everything that serves is made and joined here. */
export function createService({ config, store, logger, clock }: ServiceOptions) {
  const { prisma, vault, databaseFile } = store
  let listening = ''
  let stopping = false
  const proxies = createProxies(config.trustProxy)
  const address = createPublicAddress({ publicUrl: config.publicUrl, listening: () => listening, proxies })
  const app = createApp({
    logger,
    locale: config.locale,
    address,
    operations: {
      apiKeys: createApiKeys({ prisma, vault, clock }),
      accounts: createAccounts({ prisma }),
      items: createItems({ prisma }),
      purchases: createPurchases({ prisma }),
      defaults: { shape: config.shape, locale: config.locale },
    },
    health: {
      stopping: () => stopping,
      checks: { database: async () => (await prisma.deployment.count()) === 1 },
    },
    adminImport: config.adminToken
      ? {
          token: config.adminToken,
          load: (source) => importInWorker({ source, databaseFile, vault, now: clock }),
        }
      : undefined,
    mountDocs: (router) => mountDocs(router, { publicUrl: () => config.publicUrl ?? listening, version }),
  })
  const errorPage = (code: ErrorCode) => `${config.publicUrl ?? listening}/docs/errors#${code}`
  const server = createHttpServer({
    handle: app.callback(),
    refusal: createRefusals({ logger, locale: config.locale, errorPage }),
  })
  return {
    /** Starts to listen and gives the address. */
    async start(): Promise<string> {
      listening = await listen(server, config)
      return listening
    },
    /** Finishes what is under way, then closes everything. */
    async stop() {
      stopping = true
      await stop(server)
      await store.close()
    },
  }
}

export type Service = ReturnType<typeof createService>
