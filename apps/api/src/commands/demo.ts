import { operations } from '@saleproof/schema'
import type { Command } from 'commander'
import type { OpenDatabase } from '../open-database.ts'
import { withDatabase } from './database.ts'
import { type Demo, findDemo, holdsAccounts, loadDemo } from './demo/demo.ts'
import { say, type Terminal, write } from './terminal.ts'

const load = (terminal: Terminal, database: OpenDatabase) => loadDemo(database, { now: terminal.clock })

/** Loads the demo workspace into a database that holds no account yet; in any other it finds it, as long as it is there. */
export async function demoToShow(terminal: Terminal, database: OpenDatabase): Promise<Demo | undefined> {
  return (await holdsAccounts(database)) ? findDemo(database) : load(terminal, database)
}

const logIn = (password: string | undefined) =>
  password === undefined ? '' : `, with the name demo and the password ${password}`

/** What a newcomer needs to make the first request, the key and one line to paste, and to look around. */
export const demoNotice = (address: string, { apiKey, purchaseCode, password }: Demo) => `
The key of the demo workspace: ${apiKey}
Validate one of its purchase codes:

curl ${address}${operations.validatePurchase.path} -H 'Authorization: Bearer ${apiKey}' -d purchase_code=${purchaseCode}

The console: ${address}/console${logIn(password)}
`

export function addDemo(program: Command, terminal: Terminal) {
  program
    .command('demo')
    .description('load a small workspace to try things on; prints its key alone on standard output')
    .action(async () => {
      await withDatabase(terminal, async (database) => {
        const { apiKey, purchaseCode, password } = await load(terminal, database)
        say(terminal, `loaded the demo workspace; a purchase code that validates: ${purchaseCode}`)
        say(terminal, `its console: /console${logIn(password)}; its key:`)
        await write(terminal, `${apiKey}\n`)
      })
    })
}
