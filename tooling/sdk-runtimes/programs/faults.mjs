import { runCase, runCases } from '@saleproof/faults/run-case'
import { createClient } from '@saleproof/sdk'
import { createGate, sealStore } from '@saleproof/sdk/gate'
import { toolkit } from './toolkit.mjs'

const server = process.env.SALEPROOF_URL
const tools = toolkit({ createClient, createGate, sealStore })
console.log(JSON.stringify(await runCases(server, (name) => runCase(tools, server, name))))
// Abandoned connections would keep Node.js waiting for ten seconds.
process.exit()
