import { type FaultCase, readFaultTable, startFaultServer } from '@saleproof/faults'
import { runCase } from '@saleproof/faults/run-case'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGate } from '../src/gate/index.ts'
import { createClient } from '../src/index.ts'

// clients/faults.json, against a server that misbehaves below HTTP. tooling/sdk-runtimes runs it on the other runtimes.

const table = readFaultTable()
const toolkit = {
  createClient,
  createGate,
  createDisk: () => ({ open: () => undefined, tamper() {} }),
}
let server: Awaited<ReturnType<typeof startFaultServer>>

beforeAll(async () => {
  server = await startFaultServer(table)
})

afterAll(() => server.close())

const isUnknown = ({ expect: { outcome, error } = {} }: FaultCase) => outcome === 'unknown' || error

describe.concurrent('the fault table', () => {
  it.each(table.cases)('$name', async (fault) => {
    expect(await runCase(toolkit, server.url, fault.name, { details: true })).toEqual([])
  })
})

describe.concurrent('the fault table, by a call that throws', () => {
  it.each(table.cases.filter(isUnknown))('$name', async (fault) => {
    const { error = {} } = fault.expect ?? {}
    const steps = [
      { call: 'validatePurchase', arguments: [table.code], expect: { outcome: 'thrown', error } },
    ]
    expect(await runCase(toolkit, server.url, fault.name, { details: true, steps })).toEqual([])
  })
})
