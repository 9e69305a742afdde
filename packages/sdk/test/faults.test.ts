import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FaultCase, readFaultTable, startFaultServer } from '@saleproof/faults'
import { runCase } from '@saleproof/faults/run-case'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGate } from '../src/gate/index.ts'
import { createClient } from '../src/index.ts'
import { createFileStore } from '../src/node/index.ts'
import { createPublishableClient } from '../src/publishable.ts'

// clients/faults.json, against a server that misbehaves below HTTP. tooling/sdk-runtimes runs it on the other runtimes.

const table = readFaultTable()
const folder = mkdtempSync(join(tmpdir(), 'saleproof-faults-'))

function createStorage() {
  const directory = mkdtempSync(join(folder, 'store-'))
  const change = (file: string) => {
    const text = readFileSync(file, 'latin1')
    const last = text.at(-4) === 'A' ? 'B' : 'A'
    writeFileSync(file, text.slice(0, -4) + last + text.slice(-3), 'latin1')
  }
  return {
    open: (now: () => number) =>
      createFileStore({ directory, pepper: 'a pepper of at least 32 characters', now }),
    tamper: () => {
      for (const file of readdirSync(directory)) change(join(directory, file))
    },
  }
}

const toolkit = { createClient, createGate, createStorage }
let server: Awaited<ReturnType<typeof startFaultServer>>

beforeAll(async () => {
  server = await startFaultServer(table)
})

afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

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

describe.concurrent('the fault table, with a publishable key', () => {
  const publishable = { ...toolkit, createClient: createPublishableClient }
  const checks = table.cases.filter(({ gate, steps = [] }) => !gate && steps.every(({ call }) => !call))
  it.each(checks)('$name', async (fault) => {
    expect(await runCase(publishable, server.url, fault.name, { details: true })).toEqual([])
  })
})
