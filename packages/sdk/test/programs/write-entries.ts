import { createFileStore } from '../../src/node/index.ts'

// Writes entries of many sizes under one key. Arguments: directory, pepper, name of the writer, number of writes.
const [directory = '', pepper = '', writer = '', writes = ''] = process.argv.slice(2)
const store = createFileStore({ directory, pepper })

for (let at = 1; at <= Number(writes); at += 1) {
  const text = writer.repeat(1 + ((at * 7_919) % 20_000))
  await store.set('one key', { outcome: 'invalid', at, reason: text as 'purchase_not_found' }, 3_600_000)
}
