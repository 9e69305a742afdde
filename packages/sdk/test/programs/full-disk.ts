import { readdir } from 'node:fs/promises'
import { createFileStore } from '../../src/node/index.ts'

// Runs where no file can grow, and prints what a store does there. Arguments: directory, pepper.
const [directory = '', pepper = ''] = process.argv.slice(2)
const store = createFileStore({ directory, pepper })

const before = await store.get('sold')
const failed = await store
  .set('sold', { outcome: 'invalid', at: 2, reason: 'purchase_not_active' }, 3_600_000)
  .catch((error) => error.code)
const after = await store.get('sold')
console.log(JSON.stringify({ before: before?.outcome, failed, after, files: await readdir(directory) }))
