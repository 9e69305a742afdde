import { askFalseService } from '@saleproof/faults/ask-false-service'
import { verifyPasses } from '@saleproof/sdk/passes'
import { createPublishableClient } from '@saleproof/sdk/publishable'

globalThis.found = askFalseService({ createPublishableClient, verifyPasses }, location.origin)
