import { cleanPastedCode, type Locale, locales, maxCredentialLength, type Shape } from '@saleproof/schema'
import type { CheckedAnswer, CheckReason } from '@saleproof/schema/console'
import { purchaseCodeAmong } from '../../api/parameters.ts'
import type { PurchaseRow } from '../../api/presenters/purchase.ts'
import { presentValidation, validPurchase } from '../../api/validation-cors.ts'
import type { KeyVault } from '../../crypto/key-vault.ts'
import type { Prisma } from '../../db/sqlite/prisma.ts'
import { createApiKeys, type KeyHolder, type KeyRefusal, type RefusedKey } from '../../domain/api-keys.ts'
import { createPurchases } from '../../domain/purchases.ts'
import { ApiError } from '../../http/api-error.ts'
import { failureAnswer } from '../../http/error-handler.ts'
import type { PublicAddress } from '../../http/public-address.ts'
import { ConsoleFailure } from '../console-error.ts'
import type { Call, Handlers, WorkspaceModel } from '../handler.ts'
import type { KeyHandlers } from '../keys.ts'
import { asOwner, presentPurchase } from './purchases.ts'

interface CheckOptions {
  prisma: Prisma
  vault: KeyVault
  clock: () => Date
  address: PublicAddress
  keys: KeyHandlers
  service: { shape: Shape; locale: Locale }
}

interface Finding {
  reason: CheckReason
  purchase?: PurchaseRow | null
  otherWorkspace?: string
}

/** Codes of this length can be guessed; no shop makes such. */
const shortestCode = 12
/** A beginning of fewer characters is that of many. */
const shortestBeginning = 4

/** What is the matter with a code itself, whatever is stored. */
function formOf(code: string): CheckReason | undefined {
  if (code === '') return 'empty'
  if (!code.isWellFormed() || code.includes('\0')) return 'malformed'
  return [...code].length > maxCredentialLength ? 'too_long' : undefined
}

/** Looks for what somebody may have meant by a code that nothing has. */
function createGuesses(prisma: Prisma) {
  const one = (workspaceId: string, codes: string[]) =>
    prisma.purchase.findFirst({ where: { workspaceId, code: { in: codes } }, include: { item: true } })

  async function beginningWith(workspaceId: string, text: string) {
    if (text.length < shortestBeginning) return undefined
    const rows = await prisma.purchase.findMany({
      where: { workspaceId, code: { gt: text, lt: `${text}\uffff` } },
      include: { item: true },
      take: 2,
    })
    return rows.length === 1 && rows[0]!.code.startsWith(text) ? rows[0] : undefined
  }

  async function elsewhere({ id, accountId }: WorkspaceModel, codes: string[]) {
    const others = await prisma.workspace.findMany({ where: { accountId, NOT: { id } } })
    const row = await prisma.purchase.findFirst({
      where: { workspaceId: { in: others.map((other) => other.id) }, code: { in: codes } },
    })
    return others.find((other) => other.id === row?.workspaceId)?.slug
  }

  return async function guess(workspace: WorkspaceModel, code: string): Promise<Finding> {
    const cleaned = cleanPastedCode(code)
    const slug = await elsewhere(workspace, [code, cleaned])
    if (slug !== undefined) return { reason: 'other_workspace', otherWorkspace: slug }
    const otherCase = await one(workspace.id, [cleaned.toUpperCase(), cleaned.toLowerCase()])
    if (otherCase) return { reason: 'other_case', purchase: otherCase }
    const longer = await beginningWith(workspace.id, cleaned)
    if (longer) return { reason: 'cut_off', purchase: longer }
    return { reason: [...cleaned].length < shortestCode ? 'too_short' : 'not_found' }
  }
}

const refusals: Partial<Record<KeyRefusal, CheckReason>> = {
  expired_api_key: 'key_expired',
  revoked_api_key: 'key_revoked',
}

/** Tells what the API answers to a code, by the code that answers it, and why. Nothing of it is counted. */
export function createCheckHandler(options: CheckOptions): Pick<Handlers, 'check'> {
  const { prisma, vault, clock, address, keys, service } = options
  const purchases = createPurchases({ prisma })
  const apiKeys = createApiKeys({ prisma, vault, clock })
  const guess = createGuesses(prisma)

  /** Who asks: the key that was chosen, found as the API finds it, or one of the workspace that may do everything. */
  async function holderOf(
    workspace: WorkspaceModel,
    keyId: string | undefined,
  ): Promise<KeyHolder | RefusedKey> {
    if (keyId === undefined) return asOwner(workspace.id)
    const row = await prisma.apiKey.findUnique({ where: { id: keyId, workspaceId: workspace.id } })
    if (!row) throw new ConsoleFailure('not_found')
    return apiKeys.resolve(vault.open(row.keyCipher, row.keyHash))
  }

  async function findingOf(
    workspace: WorkspaceModel,
    holder: KeyHolder | RefusedKey,
    code: string,
  ): Promise<Finding> {
    const form = formOf(code)
    const purchase = form ? null : await purchases.find(asOwner(workspace.id), code)
    if ('refusal' in holder) return { reason: refusals[holder.refusal] ?? 'not_found', purchase }
    if (form) return { reason: form }
    if (!purchase) return guess(workspace, code)
    if (!(await purchases.find(holder, code))) return { reason: 'other_item', purchase }
    if (purchase.state !== 'active') return { reason: purchase.state, purchase }
    return { reason: purchase.code === code ? 'valid' : 'valid_as_paste', purchase }
  }

  async function answerOf(
    { ctx, request }: Call<'check'>,
    holder: KeyHolder | RefusedKey,
    shape: Shape,
    language: Locale,
  ): Promise<CheckedAnswer> {
    const type = { 'content-type': 'application/json; charset=utf-8' }
    try {
      if ('refusal' in holder) throw new ApiError(holder.refusal)
      const row = await validPurchase(purchases, holder, purchaseCodeAmong([request.purchase_code]))
      const headers = { ...type, 'cache-control': 'no-store', 'content-language': language }
      return { status: 200, headers, body: presentValidation(row, shape) }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const page = `${address.of(ctx.req)}/docs/errors#${error.code}`
      const told = failureAnswer(error, { operation: 'validatePurchase', language, page })
      const headers = Object.entries(told.headers).map(([name, value]) => [name.toLowerCase(), value])
      return { status: told.status, headers: { ...type, ...Object.fromEntries(headers) }, body: told.body }
    }
  }

  return {
    async check(call) {
      const { workspace, request } = call
      const { key_id: keyId, purchase_code: pasted } = request
      const key = keyId === undefined ? null : await keys.find(workspace.id, keyId)
      const holder = await holderOf(workspace, keyId)
      const finding = await findingOf(workspace, holder, pasted.trim())
      const shape = request.shape ?? workspace.shape ?? service.shape
      const answers = await Promise.all(
        locales.map(async (locale) => [locale, await answerOf(call, holder, shape, locale)] as const),
      )
      return {
        reason: finding.reason,
        answers: Object.fromEntries(answers) as Record<Locale, CheckedAnswer>,
        purchase: finding.purchase ? presentPurchase(finding.purchase) : null,
        key,
        other_workspace: finding.otherWorkspace ?? null,
      }
    },
  }
}
