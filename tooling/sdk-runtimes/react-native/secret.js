import { createClient } from '@saleproof/sdk'

globalThis.print(typeof createClient)
