import type { Client } from 'pg'
import { verifyAudit } from '../../../audit/read.ts'
import type { KeyVault } from '../../../crypto/key-vault.ts'
import { rowTypes } from '../../../db/postgres/row-types.ts'

/** What is wrong with the audit log of a database, as its transaction sees it. */
export async function auditProblemOn(client: Client, vault: KeyVault): Promise<string | undefined> {
  async function select<Row>(text: string, ...values: string[]): Promise<Row[]> {
    return (await client.query({ text, values, types: rowTypes })).rows
  }
  return (await verifyAudit({ select, vault })).problem
}
