import { operations } from '@saleproof/schema'
import type { Command } from 'commander'
import type { OpenDatabase } from '../open-database.ts'
import { withDatabase } from './database.ts'
import { type Demo, findDemo, holdsAccounts, loadDemo } from './demo/demo.ts'
import { say, type Terminal, write } from './terminal.ts'

const load = (terminal: Terminal, opened: OpenDatabase) => loadDemo(opened, { now: terminal.clock })

/** Loads the demo workspace into a database without accounts; in any other, finds it if it still exists. */
export async function demoToShow(terminal: Terminal, opened: OpenDatabase): Promise<Demo | undefined> {
  return (await holdsAccounts(opened)) ? findDemo(opened) : load(terminal, opened)
}

/** Shows a new user the key, a first request to paste, and how to sign in. */
export const demoNotice = (address: string, { apiKey, purchaseCode, password }: Demo) => `
The key of the demo workspace: ${apiKey}
Validate one of its purchase codes:

curl ${address}${operations.validatePurchase.path} -H 'Authorization: Bearer ${apiKey}' -d purchase_code=${purchaseCode}

The console: ${address}/console, with the name demo and the first password ${password}
`

export function addDemo(program: Command, terminal: Terminal) {
  program
    .command('demo')
    .description('load a small demo workspace; print only its key to standard output')
    .action(async () => {
      await withDatabase(terminal, async (opened) => {
        const { apiKey, purchaseCode, password } = await load(terminal, opened)
        say(terminal, `loaded the demo workspace; a valid purchase code: ${purchaseCode}`)
        say(
          terminal,
          `its console: /console, with the name demo and the first password ${password}; its key:`,
        )
        await write(terminal, `${apiKey}\n`)
      })
    })
}
