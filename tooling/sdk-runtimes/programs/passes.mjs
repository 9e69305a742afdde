import { askFalseService } from '@saleproof/faults/ask-false-service'
import { verifyPasses } from '@saleproof/sdk/passes'
import { createPublishableClient } from '@saleproof/sdk/publishable'

// What this makes of a server that plays the service.
const toolkit = { createPublishableClient, verifyPasses }
console.log(JSON.stringify(await askFalseService(toolkit, process.env.SALEPROOF_URL)))
process.exit()
