import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { send } from '../support/client.ts'
import { startCollector } from '../support/collector.ts'
import { packageRoot } from '../support/folders.ts'
import { ndjson, temporaryFolder } from '../support/harness.ts'
import { get, metricsToken } from '../support/metrics-traffic.ts'
import { spawnSaleproof, spawnServe } from '../support/process.ts'
import { records } from '../support/records.ts'

export const adminToken = 'a-token-of-the-shop-elsewhere'

export async function collecting(answer?: Parameters<typeof startCollector>[0]) {
  const collector = await startCollector(answer)
  onTestFinished(() => collector.close())
  return collector
}

/** One database for the tests of a file, and what serves it. */
export function useTracing() {
  let loaded: Awaited<ReturnType<typeof temporaryFolder>>
  beforeAll(async () => {
    loaded = await temporaryFolder()
    const { code } = await spawnSaleproof(['import', '-'], { cwd: loaded.folder, input: ndjson(records) })
    expect(code).toBe(0)
  })
  afterAll(() => loaded.remove())

  async function started(env: Record<string, string>) {
    const own = { SALEPROOF_RATE_LIMIT: 'off', SALEPROOF_FAILURE_LIMIT: 'off', METRICS_TOKEN: metricsToken }
    const server = await spawnServe({ cwd: loaded.folder, env: { ...own, ADMIN_TOKEN: adminToken, ...env } })
    onTestFinished(() => void server.signal('SIGKILL'))
    return {
      ...server,
      /** Ends it as an operator does, and gives the exit code and how long it took. */
      async stop() {
        const at = performance.now()
        server.signal('SIGTERM')
        return { code: (await server.done).code, ms: performance.now() - at }
      },
    }
  }

  return {
    place: () => loaded,
    traced: (url: string, env: Record<string, string> = {}) =>
      started({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '50', ...env }),
    /** The modules that a start and a request load. */
    async modulesOf(env: Record<string, string>) {
      const hook = pathToFileURL(join(packageRoot, 'test/processes/log-modules.fixture.mjs')).href
      const list = join(loaded.folder, 'modules')
      const server = await started({ ...env, NODE_OPTIONS: `--import=${hook}`, LOADED_MODULES: list })
      await send(server.url, get(operations.getAccount.path))
      await server.stop()
      const modules = readFileSync(list, 'utf8').split('\n')
      rmSync(list)
      expect(modules.length).toBeGreaterThan(100)
      return modules
    },
  }
}
