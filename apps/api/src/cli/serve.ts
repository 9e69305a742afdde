import type { Command } from 'commander'
import { createWindowCounter } from '../limits/window-counter.ts'
import { createService } from '../service.ts'
import { openStore } from '../store.ts'
import { createLogs } from '../telemetry/logs.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { demoNotice, loadDemoWhenEmpty } from './demo.ts'
import { configOf, migrationsFolder } from './store.ts'
import { CommandError, say, type Terminal } from './terminal.ts'

/** A reader that waits longer than this for a lock would hold up every other request of the process. */
const busyTimeoutMs = 50

const reasons: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) =>
    `port ${port} of ${host} is taken: stop what listens there, or set PORT to another one`,
  EACCES: (host, port) => `no permission to listen on port ${port} of ${host}: set PORT to 1024 or more`,
  EADDRNOTAVAIL: (host) => `this machine has no address ${host}: set HOST to one that it has`,
  ENOTFOUND: (host) => `there is no host ${host}: set HOST to an address of this machine`,
}

async function startOrExplain(start: () => Promise<string>, { host, port }: { host: string; port: number }) {
  try {
    return await start()
  } catch (error) {
    const reason = reasons[(error as { code?: string }).code ?? '']
    throw reason ? new CommandError(reason(host, port)) : error
  }
}

async function serve(terminal: Terminal, { demo }: { demo: boolean }) {
  const config = configOf(terminal)
  const { cwd, clock } = terminal
  const store = await openStore({
    databaseUrl: config.databaseUrl,
    secret: config.secret,
    cwd,
    migrations: migrationsFolder(terminal),
    busyTimeoutMs,
    clock,
    migrate: 'always',
  })
  if (store.backup) say(terminal, `migrated the database; as it was it is in ${store.backup}`)
  const shown = demo && !config.production ? await loadDemoWhenEmpty(terminal, store) : undefined
  const now = () => clock().getTime()
  const service = createService({
    config,
    store,
    logs: createLogs({ level: config.logLevel, stream: terminal.logStream(), now }),
    metrics: createMetrics(),
    counter: (_name, seconds) => createWindowCounter({ seconds, now }),
    clock,
  })
  const stopped = new Promise<void>((resolve) => terminal.onSignal(resolve))
  const address = await startOrExplain(() => service.start(), config)
  say(terminal, `listening on ${address}`)
  if (shown) say(terminal, demoNotice(config.publicUrl ?? address, shown))
  await stopped
  await service.stop()
}

export function addServe(program: Command, terminal: Terminal) {
  program
    .command('serve')
    .description('apply pending migrations and serve')
    .option('--demo', 'load the demo workspace when the database is empty and this is not production', false)
    .action((options) => serve(terminal, options))
}
