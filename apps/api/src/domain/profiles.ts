import type { Recorder } from '../audit/append.ts'
import type { Write } from '../db/prisma.ts'

/** Fields that are left out stay unchanged. */
export interface ProfileChange {
  email?: string
  name?: { firstname: string; lastname: string; full_name: string }
  profile?: {
    heading: string
    description: string
    contact: { email: string }
    social_links: Record<string, string>
    media: { avatar: string; cover: string }
  }
}

const columnsOf = ({ email, name, profile }: ProfileChange) => ({
  ...(email !== undefined && { email }),
  ...(name && { firstname: name.firstname, lastname: name.lastname, fullName: name.full_name }),
  ...(profile && {
    heading: profile.heading,
    description: profile.description,
    contactEmail: profile.contact.email,
    socialLinks: profile.social_links,
    avatar: profile.media.avatar,
    cover: profile.media.cover,
  }),
})

/** Changes the public data of an account. */
export function createProfiles({ write, record }: { write: Write; record: Recorder }) {
  return {
    update: (id: string, change: ProfileChange) =>
      write(async (tx) => {
        const row = await tx.account.update({ where: { id }, data: columnsOf(change) })
        await record(tx, { action: 'account.changed', subject: id })
        return row
      }),
  }
}
