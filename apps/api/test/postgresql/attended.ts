import { expect, onTestFinished } from 'vitest'
import { serveUnderTraffic } from '../faults/serving.ts'
import { temporaryFolder } from '../support/harness.ts'
import { environmentFor } from './servers.ts'

/**
 * The longest wait, whatever happens to the database: the routes have longer timeouts than the fast path. They add up to 7 s; the rest is
 * for a machine that runs other tests.
 */
export const longestWaitMs = 15_000

/** The service on a database of its own server, under steady requests whose answers are known. */
export async function startMonitoring(databaseUrl: string, env: Record<string, string> = {}) {
  const home = await temporaryFolder()
  onTestFinished(home.remove)
  const service = await serveUnderTraffic({
    cwd: home.folder,
    load: true,
    env: { ...environmentFor(databaseUrl), ...env },
  })
  return {
    ...service,
    /** No response was wrong, no caller waited too long, and the process survived. */
    async conclude() {
      await service.untilReady()
      const { wrong, longest, summary } = await service.traffic.stop()
      expect(wrong, summary).toEqual([])
      expect(longest, summary).toBeLessThan(longestWaitMs)
      service.signal('SIGTERM')
      const { code, stdout, stderr } = await service.done
      expect(code, stderr).toBe(0)
      expect(stdout).not.toMatch(/unexpected error|shop:a-password/)
      return summary
    },
  }
}

export type Attended = Awaited<ReturnType<typeof startMonitoring>>

/** What is said of a database that does not answer. */
export const notReady = {
  status: 503,
  checks: { database: 'failed', migrations: 'unknown', secret: 'unknown' },
}
