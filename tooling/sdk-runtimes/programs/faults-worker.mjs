import { runCase } from '@saleproof/faults/run-case'
import { createClient } from '@saleproof/sdk'
import { createGate, sealStore } from '@saleproof/sdk/gate'
import { toolkit } from './toolkit.mjs'

const tools = toolkit({ createClient, createGate, sealStore })

export default {
  async fetch(request, env) {
    const name = new URL(request.url).searchParams.get('case')
    return Response.json(await runCase(tools, env.SALEPROOF_URL, name))
  },
}
