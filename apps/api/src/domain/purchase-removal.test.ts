import { expect, test } from 'vitest'
import type { Transact } from '../db/database.ts'
import type { Sql } from '../db/sql.ts'
import { createPurchaseRemoval } from './purchase-removal.ts'

test('where the counts cannot be removed, the files are rewritten, and a further try removes them', async () => {
  const rows = [{ itemId: 1 }]
  const outcomes: unknown[] = []
  const transact: Transact<Sql> = (act) => act({ query: async () => rows.splice(0) } as never)
  let isFull = true
  const remove = createPurchaseRemoval({
    transact,
    async erasing(act) {
      const result = await act()
      outcomes.push(result)
      return result
    },
    record: async () => 1,
    async forget(...purchase) {
      if (isFull) throw new Error('full')
      outcomes.push(purchase)
    },
  })
  await expect(remove(7, 'CODE')).rejects.toThrow('full')
  isFull = false
  expect(await remove(7, 'CODE')).toBe(false)
  expect(outcomes).toEqual([true, [7, 'CODE'], false])
})
