import { formatTimestamp } from '@saleproof/schema'
import { readLastFour } from '../../domain/key-management.ts'
import type { HandlerOptions, Handlers } from '../handler.ts'
import { presentPurchase } from '../purchases/purchases.ts'

/** A mask must leave out more than it shows. */
const minMaskedLength = 17

function mask(code: string): string | null {
  const characters = [...code]
  if (characters.length < minMaskedLength) return null
  return `${characters.slice(0, 4).join('')}…${characters.slice(-4).join('')}`
}

type Options = Pick<HandlerOptions, 'prisma' | 'vault' | 'readFailedCodes'>

/** Lists the codes that failed last. An unknown one is masked: it may be a typo of a valid code, or a secret pasted by mistake. */
export function createFailedCodesHandler({
  prisma,
  vault,
  readFailedCodes,
}: Options): Pick<Handlers, 'listFailedCodes'> {
  async function purchasesOf(workspaceId: number, codes: readonly string[]) {
    const where = { workspaceId, code: { in: [...codes] } }
    const rows = await prisma.purchase.findMany({ where, include: { item: true } })
    const byCode = new Map(rows.map((row) => [row.code, row]))
    return (code: string) => byCode.get(code)
  }

  async function keysOf(workspaceId: number, ids: readonly string[]) {
    const rows = await prisma.apiKey.findMany({
      where: { workspaceId, id: { in: [...new Set(ids)] } },
      select: { id: true, name: true, keyHash: true, keyCipher: true },
    })
    return new Map(rows.map((row) => [row.id, { name: row.name, last_four: readLastFour(vault, row) }]))
  }

  return {
    async listFailedCodes({ workspace, request: { reason } }) {
      const failed = await readFailedCodes({ workspaceId: workspace.id, reason })
      const codes = failed.map(({ code }) => code)
      const purchaseOf = await purchasesOf(workspace.id, codes)
      const keys = await keysOf(
        workspace.id,
        failed.map(({ keyId }) => keyId),
      )
      return {
        codes: failed.map(({ code, keyId, lastAt, count }) => {
          const row = purchaseOf(code)
          return {
            purchase: row ? presentPurchase(row) : null,
            masked: row ? null : mask(code),
            key: keys.get(keyId) ?? null,
            at: formatTimestamp(new Date(lastAt)),
            count,
          }
        }),
      }
    },
  }
}
