import { onTestFinished } from 'vitest'
import { adminToken } from '../faults/serving.ts'
import { temporaryFolder } from '../support/harness.ts'
import { type CommandOptions, spawnServe } from '../support/process.ts'
import { environmentFor } from './servers.ts'

/** An instance in a process of its own that takes imports; it ends with the test. */
export async function startInstance(
  databaseUrl: string,
  { env: more, within = [] }: Pick<CommandOptions, 'env' | 'within'> = {},
) {
  const home = await temporaryFolder()
  const unlimited = { SALEPROOF_RATE_LIMIT: 'off', SALEPROOF_FAILURE_LIMIT: 'off' }
  const env = { ...environmentFor(databaseUrl), ...unlimited, ADMIN_TOKEN: adminToken, ...more }
  const instance = await spawnServe({ cwd: home.folder, env, within })
  onTestFinished(async () => {
    instance.signal('SIGKILL')
    await instance.done
    await home.remove()
  })
  return instance
}
