import { passHours, signingKeyLimits } from '@saleproof/schema/console/constants'
import type { KeySealer } from '../crypto/key-vault.ts'
import { generateSigningKey } from '../crypto/signing-key.ts'
import type { Prisma } from '../db/prisma.ts'
import type { Sql } from '../db/sql.ts'
import type { Changes } from './audit-log.ts'
import { DomainError } from './domain-error.ts'
import { requireWorkspace } from './workspaces.ts'

/** A key that was retired then or before has signed no pass that may still be believed. */
const longestLifeBefore = (date: Date) => new Date(date.getTime() - passHours.max * 3_600_000)

const newestFirst = [{ createdAt: 'desc' }, { id: 'desc' }] as const

/** Gives each workspace that has no signing key its first one. `main` comes before the names of tables. */
export async function addFirstKeys(sql: Sql, vault: KeySealer, at: Date, main: string) {
  const rows = await sql.query<{ id: number }>(`SELECT w."id" FROM ${main}"Workspace" w
    WHERE NOT EXISTS (SELECT 1 FROM ${main}"SigningKey" k WHERE k."workspaceId" = w."id")`)
  const insert = `INSERT INTO ${main}"SigningKey" ("id", "publicKey", "keyHash", "keyCipher", "workspaceId", "createdAt")
    VALUES ($1, $2, $3, $4, $5, $6)`
  for (const { id: workspaceId } of rows) {
    const { id, publicKey, keyHash, keyCipher } = generateSigningKey(vault)
    await sql.run(insert, id, publicKey, keyHash, keyCipher, workspaceId, at)
  }
}

/** Finds the keys that sign, or whose passes may still be believed. */
export function createSigningKeyFinder({ prisma, clock }: Pick<Changes, 'prisma' | 'clock'>) {
  return {
    /** The newest of some keys of a workspace that is not retired, with what its passes say of the workspace. */
    async newest(workspaceId: number, ids: readonly string[]) {
      const row = await prisma.signingKey.findFirst({
        where: { workspaceId, id: { in: [...ids] }, retiredAt: null },
        orderBy: [...newestFirst],
        include: { workspace: { select: { slug: true, passHours: true } } },
      })
      return row && { ...row, ...row.workspace }
    },

    /** The public keys of all workspaces, without those that were retired longer ago than any pass lives. */
    published: () =>
      prisma.signingKey.findMany({
        where: { OR: [{ retiredAt: null }, { retiredAt: { gt: longestLifeBefore(clock()) } }] },
        select: { id: true, publicKey: true },
        orderBy: [...newestFirst],
      }),
  }
}

export type SigningKeyFinder = ReturnType<typeof createSigningKeyFinder>

export function createSigningKeys(options: Changes & { vault: KeySealer }) {
  const { prisma, transact, vault, clock, record } = options
  const find = (tx: Pick<Prisma, 'signingKey'>, workspaceId: number) =>
    tx.signingKey.findMany({ where: { workspaceId }, orderBy: [...newestFirst] })

  return {
    /** Those of a workspace, the newest first. */
    list: async (workspace: string) => find(prisma, await requireWorkspace(prisma, workspace)),

    /**
     * Makes a new key, which signs for programs that know it; older keys go on signing for those that do not. Makes none where `newest` is
     * not the newest.
     */
    async rotate(workspace: string, newest?: string) {
      const workspaceId = await requireWorkspace(prisma, workspace)
      return transact(async (tx) => {
        const [before] = await find(tx, workspaceId)
        if (newest !== undefined && before && before.id !== newest) return before
        const ended = { workspaceId, retiredAt: { lte: longestLifeBefore(clock()) } }
        await tx.signingKey.deleteMany({ where: ended })
        const rows = await find(tx, workspaceId)
        const { signing, all } = signingKeyLimits
        if (rows.length >= all) throw new DomainError('retired_signing_keys')
        if (rows.filter(({ retiredAt }) => !retiredAt).length >= signing)
          throw new DomainError('signing_keys')
        // The newest signs, whatever the clock says.
        const time = Math.max(clock().getTime(), (rows[0]?.createdAt.getTime() ?? 0) + 1)
        const data = { ...generateSigningKey(vault), workspaceId, createdAt: new Date(time) }
        await record(tx, { action: 'signing_key.created', workspaceId, subject: data.id })
        return tx.signingKey.create({ data })
      }, workspaceId)
    },

    /** Permanent: it signs nothing any more. A second time changes nothing. */
    async retire(id: string): Promise<{ already: boolean }> {
      const row = await prisma.signingKey.findUnique({ where: { id }, select: { workspaceId: true } })
      if (!row) throw new DomainError('signing_key_unknown')
      return transact(async (tx) => {
        const { count } = await tx.signingKey.updateMany({
          where: { id, retiredAt: null },
          data: { retiredAt: clock() },
        })
        if (count) await record(tx, { action: 'signing_key.retired', ...row, subject: id })
        return { already: count === 0 }
      }, row.workspaceId)
    },
  }
}

export type SigningKeys = ReturnType<typeof createSigningKeys>
