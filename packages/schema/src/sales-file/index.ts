// The entry `@saleproof/schema/sales-file`: sales in the files of shops, payment services and spreadsheets.

export { createRejectedRows, type RejectedRows } from './rejected-rows.ts'
export { type SaleField, saleFields } from './sale-fields.ts'
export { createDecoder, detectDelimiter } from './text.ts'
