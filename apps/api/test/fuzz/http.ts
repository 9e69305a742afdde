import { serveFuzzer } from '@saleproof/fuzz'
import { createHttpTarget } from './http-target.ts'

await serveFuzzer(createHttpTarget)
