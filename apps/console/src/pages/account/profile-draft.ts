import type { ConsoleAccount, ConsoleRequests } from '@saleproof/schema/console'

export interface SocialLink {
  /** What it is known by while it is edited. */
  key: number
  network: string
  link: string
}

export interface AccountDraft {
  firstname: string
  lastname: string
  fullName: string
  email: string
  password: string
  heading: string
  description: string
  contact: string
  avatar: string
  cover: string
  links: readonly SocialLink[]
}

export const draftOf = ({ name, email, profile }: ConsoleAccount): AccountDraft => ({
  firstname: name.firstname,
  lastname: name.lastname,
  fullName: name.full_name,
  email,
  password: '',
  heading: profile.heading,
  description: profile.description,
  contact: profile.contact.email,
  avatar: profile.media.avatar,
  cover: profile.media.cover,
  links: Object.entries(profile.social_links).map(([network, link], key) => ({ key, network, link })),
})

/** Lines that were left empty are none. */
const linksOf = ({ links }: AccountDraft) =>
  Object.fromEntries(
    links
      .map(({ network, link }) => [network.trim(), link.trim()] as const)
      .filter(([network, link]) => network && link),
  )

/** What is sent: the address only where it was changed, since that takes the password. */
export function requestOf(draft: AccountDraft, account: ConsoleAccount): ConsoleRequests['updateAccount'] {
  const { firstname, lastname, fullName, email, password } = draft
  return {
    name: { firstname, lastname, full_name: fullName },
    ...(email.trim() !== account.email && { email: email.trim(), current_password: password }),
    profile: {
      heading: draft.heading,
      description: draft.description,
      contact: { email: draft.contact.trim() },
      social_links: linksOf(draft),
      media: { avatar: draft.avatar.trim(), cover: draft.cover.trim() },
    },
  }
}
