import { serveFuzzer } from '@saleproof/fuzz'
import { createImportTarget } from './import-target.ts'

await serveFuzzer(createImportTarget)
