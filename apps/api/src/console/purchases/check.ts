import { cleanPastedCode, type Locale, maxCredentialLength, type Shape } from '@saleproof/schema'
import type { CheckedResponse, CheckReason, ConsoleCheck } from '@saleproof/schema/console'
import { presentValidation, validPurchase } from '../../api/handlers.ts'
import { oneOf } from '../../api/parameters.ts'
import type { PurchaseRow } from '../../api/presenters.ts'
import type { WorkspaceModel } from '../../db/prisma.ts'
import { type ActiveKey, createApiKeys, type KeyErrorCode, type RejectedKey } from '../../domain/api-keys.ts'
import { createPurchases } from '../../domain/purchases.ts'
import { ApiError } from '../../http/api-error.ts'
import { errorResponse } from '../../http/error-response.ts'
import { successHead } from '../../http/response.ts'
import { ConsoleError } from '../console-error.ts'
import type { Call, ConsoleOptions, Handlers } from '../handler.ts'
import { join, raw, select, sql } from '../sql.ts'
import { isCutCode, type PurchaseCondition } from './code-part.ts'
import { findCustomer } from './customers.ts'
import { codePartsIn, type NearCodes, nearCodes } from './near-codes.ts'
import { asOwner, presentPurchase } from './purchases.ts'

interface Diagnosis {
  reason: CheckReason
  purchase?: PurchaseRow | null
  otherWorkspace?: string
  customer?: ConsoleCheck['customer']
}

/** Shorter codes can be guessed, and no shop issues them. */
const minCodeLength = 12
const sampleSize = 50
/** A part that an index finds in more codes means none of them. */
const maxWithPart = 1000
const minKeyLength = 16

/** What is wrong with the code itself, whatever is stored. */
function invalidReason(code: string): CheckReason | undefined {
  if (code === '') return 'empty'
  if (!code.isWellFormed() || code.includes('\0')) return 'malformed'
  return [...code].length > maxCredentialLength ? 'too_long' : undefined
}

/** Guesses which purchase was meant by a code that matches none. */
function createGuess({ prisma, read }: ConsoleOptions['database']) {
  const purchases = createPurchases({ prisma })

  /** The purchase of the first code of them that was sold; of typos the only one. The thread that answers does not look them up. */
  async function findMeant(workspaceId: number, { reason, codes }: NearCodes) {
    if (codes.length === 0) return undefined
    const parameters = codes.map((code) => sql`${code}`)
    const rows = await select<{ code: string }>(
      read,
      sql`SELECT "code" FROM "Purchase" WHERE "workspaceId" = ${workspaceId} AND "code" IN (${join(parameters, ', ')})`,
    )
    if (reason === 'typo' && rows.length > 1) return undefined
    const sold = new Set(rows.map((row) => row.code))
    const code = codes.find((each) => sold.has(each))
    return code === undefined ? undefined : purchases.find(asOwner(workspaceId), code)
  }

  /** The purchase whose code has a part that is in the text, if there is exactly one. */
  async function findByPart(workspaceId: number, text: string) {
    const indexed = ({ indexed }: PurchaseCondition) =>
      sql`SELECT "code", count(*) OVER () AS "matches" FROM (SELECT "code" FROM "Purchase"
        WHERE "workspaceId" = ${workspaceId} AND ${indexed} LIMIT ${raw(maxWithPart + 1)}) found`
    const queries = codePartsIn(text)
      .flatMap(isCutCode)
      .map(
        (part) =>
          sql`SELECT "code" FROM (SELECT "code" FROM (${indexed(part)}) counted
            WHERE "matches" > ${raw(maxWithPart)} OR ${part.condition} LIMIT 2) two`,
      )
    if (queries.length === 0) return undefined
    const [only, other] = await select<{ code: string }>(read, join(queries, ' UNION '))
    return only && !other ? purchases.find(asOwner(workspaceId), only.code) : undefined
  }

  async function findOtherWorkspace({ id, accountId }: WorkspaceModel, code: string) {
    const others = await prisma.workspace.findMany({ where: { accountId, NOT: { id } } })
    const row = await prisma.purchase.findFirst({
      where: { workspaceId: { in: others.map((other) => other.id) }, code },
    })
    return others.find((other) => other.id === row?.workspaceId)?.slug
  }

  /** Codes of the workspace, from both ends of the index. */
  async function readSample(workspaceId: number): Promise<string[]> {
    const ends = await Promise.all(
      (['asc', 'desc'] as const).map((order) =>
        prisma.purchase.findMany({
          where: { workspaceId },
          orderBy: { code: order },
          take: sampleSize,
          select: { code: true },
        }),
      ),
    )
    return ends.flat().map(({ code }) => code)
  }

  async function findNear(workspaceId: number, text: string): Promise<Diagnosis | undefined> {
    for (const near of nearCodes(text, await readSample(workspaceId))) {
      const purchase = await findMeant(workspaceId, near)
      if (purchase) return { reason: near.reason, purchase }
    }
    return undefined
  }

  return async function guess(workspace: WorkspaceModel, code: string): Promise<Diagnosis | undefined> {
    const slug = await findOtherWorkspace(workspace, code)
    if (slug !== undefined) return { reason: 'other_workspace', otherWorkspace: slug }
    const near = await findNear(workspace.id, code)
    if (near) return near
    const whole = await findByPart(workspace.id, code)
    if (whole) return { reason: 'cut_off', purchase: whole }
    const customer = await findCustomer(read, workspace.id, code)
    return customer && { reason: 'customer', customer }
  }
}

const keyReasons: Partial<Record<KeyErrorCode, CheckReason>> = {
  expired_api_key: 'key_expired',
  revoked_api_key: 'key_revoked',
}

/** Shows how the API responds to a code, with the API's own code, and explains why. Counts nowhere. */
export function createCheckHandler(options: ConsoleOptions) {
  const { vault, clock, address, service } = options
  const { prisma } = options.database
  const purchases = createPurchases({ prisma })
  const apiKeys = createApiKeys({ prisma, vault, clock })
  const guess = createGuess(options.database)

  /** The selected key, resolved as the API resolves it, or by default an unbound key of the workspace. */
  async function resolveHolder(workspace: WorkspaceModel, keyId: string | undefined) {
    if (keyId === undefined) return asOwner(workspace.id)
    const row = await prisma.apiKey.findUnique({ where: { id: keyId, workspaceId: workspace.id } })
    if (!row) throw new ConsoleError('not_found')
    return apiKeys.resolve(vault.open(row.keyCipher, row.keyHash))
  }

  /** Whether one of the words is an API key of the owner, in whatever workspace. */
  async function holdsKey({ accountId }: WorkspaceModel, text: string): Promise<boolean> {
    const words = text.split(/[\s"'=:,;]+/).filter((word) => word.length >= minKeyLength)
    const found = await prisma.apiKey.findFirst({
      where: { keyHash: { in: words.map(vault.hash) }, workspace: { accountId } },
      select: { id: true },
    })
    return found !== null
  }

  async function diagnose(
    workspace: WorkspaceModel,
    holder: ActiveKey | RejectedKey,
    code: string,
  ): Promise<Diagnosis> {
    const invalid = invalidReason(code)
    const purchase = invalid ? null : await purchases.find(asOwner(workspace.id), code)
    if ('error' in holder) return { reason: keyReasons[holder.error] ?? 'not_found', purchase }
    if (invalid && invalid !== 'too_long') return { reason: invalid }
    if (!purchase) {
      if (await holdsKey(workspace, code)) return { reason: 'api_key' }
      const isShort = [...code].length < minCodeLength
      return (await guess(workspace, code)) ?? { reason: invalid ?? (isShort ? 'too_short' : 'not_found') }
    }
    if (!(await purchases.find(holder, code))) return { reason: 'other_item', purchase }
    if (purchase.state !== 'active') return { reason: purchase.state, purchase }
    return { reason: 'valid', purchase }
  }

  /** The response that the API would send. */
  async function createResponse(
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
    async check(call: Call<'check'>) {
      const { workspace, request } = call
      const { key_id: keyId, purchase_code: pasted } = request
      const holder = await resolveHolder(workspace, keyId)
      const code = cleanPastedCode(pasted)
      const { purchase, otherWorkspace, customer, ...diagnosis } = await diagnose(workspace, holder, code)
      const isPaste = diagnosis.reason === 'valid' && code !== pasted.trim()
      const shape = workspace.shape ?? service.shape
      const [en, pt] = await Promise.all([
        createResponse(call, holder, shape, 'en'),
        createResponse(call, holder, shape, 'pt'),
      ])
      return {
        reason: isPaste ? 'valid_as_paste' : diagnosis.reason,
        responses: { en, pt },
        purchase: purchase ? presentPurchase(purchase) : null,
        other_workspace: otherWorkspace ?? null,
        customer: customer ?? null,
      }
    },
  } satisfies Partial<Handlers>
}
