import { askFalseService } from '@saleproof/faults/ask-false-service'
import { verifyPasses } from '@saleproof/sdk/passes'
import { createPublishableClient } from '@saleproof/sdk/publishable'

const toolkit = { createPublishableClient, verifyPasses }

export default {
  async fetch(_, env) {
    return Response.json(await askFalseService(toolkit, env.SALEPROOF_URL))
  },
}
