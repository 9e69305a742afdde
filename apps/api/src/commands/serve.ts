import cluster from 'node:cluster'
import type { Command } from 'commander'
import { unreadVariables } from '../config.ts'
import type { OpenDatabase } from '../open-database.ts'
import { openConfigured, readConfig } from './database.ts'
import { demoNotice, demoToShow } from './demo.ts'
import { CommandError, say, type Terminal } from './terminal.ts'

/** A query that waits longer for a lock would delay every other request of the process. */
const busyTimeoutMs = 50

/** Closes the database if the demo cannot be loaded: an open connection would keep the process alive. */
async function demoOrClose(terminal: Terminal, opened: OpenDatabase) {
  try {
    return await demoToShow(terminal, opened)
  } catch (error) {
    await opened.close()
    throw error
  }
}

export function addServe(program: Command, terminal: Terminal) {
  program
    .command('serve')
    .description('apply pending migrations and serve')
    .option(
      '--demo',
      'load the demo workspace into an empty database and show its key; not in production',
      false,
    )
    .option('--accept-lost-writes', 'start although confirmed changes are lost, and record it', false)
    .action(async ({ demo, acceptLostWrites }) => {
      // Once, and before what may be wrong because of it.
      for (const name of cluster.isPrimary ? unreadVariables(terminal.env) : [])
        say(terminal, `warning: ${name} is set, and nothing reads it: check its name`)
      const config = readConfig(terminal)
      // Other commands do not load what serves.
      const { serve } = await import('../processes.ts')
      const exitCode = await serve({
        terminal,
        config,
        open: () => openConfigured(terminal, config, { busyTimeoutMs, migrate: 'always', acceptLostWrites }),
        async prepare(opened) {
          const { place } = opened
          if (place.kind === 'sqlite' && place.backup)
            say(terminal, `migrated the database; a backup of it is in ${place.backup}`)
          const shown = demo && !config.production ? await demoOrClose(terminal, opened) : undefined
          return (address) => {
            say(terminal, `listening on ${address}`)
            if (shown) say(terminal, demoNotice(config.publicUrl ?? address, shown))
          }
        },
        say: (text) => say(terminal, text),
      })
      // The worker that failed has printed the reason.
      if (exitCode !== 0) throw new CommandError('', exitCode === 2 ? 2 : 1)
    })
}
