// The entry `@saleproof/schema/sales-file`: sales in the files of shops, payment services and spreadsheets.

export {
  guessMapping,
  isMapped,
  requiredSaleFields,
  type SaleField,
  type SaleMapping,
  type SaleRecord,
  saleFields,
  toAmount,
  toSale,
  toTimestamp,
} from './mapping.ts'
export { decodeText, readSalesTable, type SalesRow, type SalesTable } from './table.ts'
