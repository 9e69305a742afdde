import { type Locale, type Shape, TextSchema } from '@saleproof/schema'
import { SlugSchema } from '@saleproof/schema/console'
import { is } from 'valibot'
import type { KeySealer } from '../crypto/key-vault.ts'
import { generateSigningKey } from '../crypto/signing-key.ts'
import type { Prisma } from '../db/prisma.ts'
import type { Changes } from './audit-log.ts'
import { DomainError } from './domain-error.ts'

interface NewWorkspace {
  owner: string
  slug: string
  name: string
  shape?: Shape | undefined
  locale?: Locale | undefined
}

/** Fields that are left out stay unchanged; `null` is the deployment's default. */
interface WorkspaceChange {
  name?: string
  shape?: Shape | null
  locale?: Locale | null
  passHours?: number | null
}

/** The number of the workspace with this slug. */
export async function requireWorkspace({ workspace }: Prisma, slug: string): Promise<number> {
  const row = await workspace.findUnique({ where: { slug }, select: { id: true } })
  if (!row) throw new DomainError('workspace_unknown', slug)
  return row.id
}

export function createWorkspaces({ prisma, transact, vault, clock, record }: Changes & { vault: KeySealer }) {
  return {
    async create({ owner, slug, name, shape, locale }: NewWorkspace) {
      // The same schemas as for an import, so that every export can be imported.
      if (!is(SlugSchema, slug)) throw new DomainError('slug')
      if (!is(TextSchema, name) || name.trim() === '') throw new DomainError('workspace_name')
      const account = await prisma.account.findUnique({ where: { username: owner }, select: { id: true } })
      if (!account) throw new DomainError('owner_unknown', owner)
      if (await prisma.workspace.findUnique({ where: { slug } })) throw new DomainError('slug_taken', slug)
      const defaults = { shape: shape ?? null, locale: locale ?? null }
      const createdAt = clock()
      const signingKeys = { create: { ...generateSigningKey(vault), createdAt } }
      return transact(async (tx) => {
        const row = await tx.workspace.create({
          data: { accountId: account.id, slug, name, ...defaults, createdAt, signingKeys },
        })
        await record(tx, { action: 'workspace.created', workspaceId: row.id })
        return row
      })
    },

    list: () =>
      prisma.workspace.findMany({
        orderBy: { slug: 'asc' },
        include: { account: { select: { username: true } } },
      }),

    update: (id: number, change: WorkspaceChange) =>
      transact(async (tx) => {
        const row = await tx.workspace.update({ where: { id }, data: change })
        await record(tx, { action: 'workspace.changed', workspaceId: id })
        return row
      }, id),
  }
}
