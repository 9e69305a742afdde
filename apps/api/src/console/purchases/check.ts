import { cleanPastedCode, type Locale, maxCredentialLength, type Shape } from '@saleproof/schema'
import type { CheckedResponse, CheckReason } from '@saleproof/schema/console'
import { oneOf } from '../../api/parameters.ts'
import type { PurchaseRow } from '../../api/presenters/purchase.ts'
import { presentValidation, validPurchase } from '../../api/valid-purchase.ts'
import type { Prisma } from '../../db/prisma.ts'
import { type ActiveKey, createApiKeys, type KeyErrorCode, type RejectedKey } from '../../domain/api-keys.ts'
import { createPurchases } from '../../domain/purchases.ts'
import { ApiError } from '../../http/api-error.ts'
import { errorResponse } from '../../http/error-response.ts'
import { successHead } from '../../http/response.ts'
import { ConsoleError } from '../console-error.ts'
import type { Call, HandlerOptions, Handlers, WorkspaceModel } from '../handler.ts'
import type { FindKey } from '../keys.ts'
import { asOwner, presentPurchase } from './purchases.ts'

interface Diagnosis {
  reason: CheckReason
  purchase?: PurchaseRow | null
  otherWorkspace?: string
}

/** Shorter codes can be guessed, and no shop issues them. */
const minCodeLength = 12
/** A shorter prefix matches too many codes. */
const minPrefixLength = 4

/** What is wrong with the code itself, whatever is stored. */
function invalidReason(code: string): CheckReason | undefined {
  if (code === '') return 'empty'
  if (!code.isWellFormed() || code.includes('\0')) return 'malformed'
  return [...code].length > maxCredentialLength ? 'too_long' : undefined
}

/** Guesses which purchase was meant by a code that matches none. */
function createGuess(prisma: Prisma) {
  const findOne = (workspaceId: string, codes: string[]) =>
    prisma.purchase.findFirst({ where: { workspaceId, code: { in: codes } }, include: { item: true } })

  /** The purchase whose code starts with the text, if there is exactly one. */
  async function findByPrefix(workspaceId: string, prefix: string) {
    if (prefix.length < minPrefixLength) return undefined
    const [row, other] = await prisma.purchase.findMany({
      where: { workspaceId, code: { gt: prefix, lt: `${prefix}\uffff` } },
      include: { item: true },
      take: 2,
    })
    return !other && row?.code.startsWith(prefix) ? row : undefined
  }

  async function findOtherWorkspace({ id, accountId }: WorkspaceModel, codes: string[]) {
    const others = await prisma.workspace.findMany({ where: { accountId, NOT: { id } } })
    const row = await prisma.purchase.findFirst({
      where: { workspaceId: { in: others.map((other) => other.id) }, code: { in: codes } },
    })
    return others.find((other) => other.id === row?.workspaceId)?.slug
  }

  return async function guess(workspace: WorkspaceModel, code: string): Promise<Diagnosis> {
    const cleaned = cleanPastedCode(code)
    const slug = await findOtherWorkspace(workspace, [code, cleaned])
    if (slug !== undefined) return { reason: 'other_workspace', otherWorkspace: slug }
    const otherCase = await findOne(workspace.id, [cleaned.toUpperCase(), cleaned.toLowerCase()])
    if (otherCase) return { reason: 'other_case', purchase: otherCase }
    const longer = await findByPrefix(workspace.id, cleaned)
    if (longer) return { reason: 'cut_off', purchase: longer }
    return { reason: [...cleaned].length < minCodeLength ? 'too_short' : 'not_found' }
  }
}

const keyReasons: Partial<Record<KeyErrorCode, CheckReason>> = {
  expired_api_key: 'key_expired',
  revoked_api_key: 'key_revoked',
}

/** Shows how the API responds to a code, with the API's own code, and explains why. Counts nowhere. */
export function createCheckHandler(options: HandlerOptions & { findKey: FindKey }): Pick<Handlers, 'check'> {
  const { prisma, vault, clock, address, service, findKey } = options
  const purchases = createPurchases({ prisma })
  const apiKeys = createApiKeys({ prisma, vault, clock })
  const guess = createGuess(prisma)

  /** The selected key, resolved as the API resolves it, or by default an unbound key of the workspace. */
  async function resolveHolder(workspace: WorkspaceModel, keyId: string | undefined) {
    if (keyId === undefined) return asOwner(workspace.id)
    const row = await prisma.apiKey.findUnique({ where: { id: keyId, workspaceId: workspace.id } })
    if (!row) throw new ConsoleError('not_found')
    return apiKeys.resolve(vault.open(row.keyCipher, row.keyHash))
  }

  async function diagnose(
    workspace: WorkspaceModel,
    holder: ActiveKey | RejectedKey,
    code: string,
  ): Promise<Diagnosis> {
    const invalid = invalidReason(code)
    const purchase = invalid ? null : await purchases.find(asOwner(workspace.id), code)
    if ('error' in holder) return { reason: keyReasons[holder.error] ?? 'not_found', purchase }
    if (invalid) return { reason: invalid }
    if (!purchase) return guess(workspace, code)
    if (!(await purchases.find(holder, code))) return { reason: 'other_item', purchase }
    if (purchase.state !== 'active') return { reason: purchase.state, purchase }
    return { reason: purchase.code === code ? 'valid' : 'valid_as_paste', purchase }
  }

  /** The response that the API would send. */
  async function responseOf(
    { ctx, request }: Call<'check'>,
    holder: ActiveKey | RejectedKey,
    shape: Shape,
    locale: Locale,
  ): Promise<CheckedResponse> {
    const lowerCase = (headers: Record<string, string>) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    try {
      if ('error' in holder) throw new ApiError(holder.error)
      const row = await validPurchase(purchases, holder, oneOf('purchase_code', [request.purchase_code]))
      const { status, headers } = successHead({ locale, encoding: 'identity' })
      return { status, headers: lowerCase(headers), body: presentValidation(row, shape) }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const context = { operation: 'validatePurchase', locale, address: address.of(ctx.req) } as const
      const { status, headers, body } = errorResponse(error, context)
      return { status, headers: lowerCase(headers), body }
    }
  }

  return {
    async check(call) {
      const { workspace, request } = call
      const { key_id: keyId, purchase_code: pasted } = request
      const key = keyId === undefined ? null : await findKey(workspace.id, keyId)
      const holder = await resolveHolder(workspace, keyId)
      const { reason, purchase, otherWorkspace } = await diagnose(workspace, holder, pasted.trim())
      const shape = request.shape ?? workspace.shape ?? service.shape
      const [en, pt] = await Promise.all([
        responseOf(call, holder, shape, 'en'),
        responseOf(call, holder, shape, 'pt'),
      ])
      return {
        reason,
        answers: { en, pt },
        purchase: purchase ? presentPurchase(purchase) : null,
        key,
        other_workspace: otherWorkspace ?? null,
      }
    },
  }
}
