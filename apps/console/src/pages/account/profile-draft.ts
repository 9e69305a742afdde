import type { ConsoleAccount, ConsoleRequests } from '@saleproof/schema/console'

export interface SocialLink {
  /** Identifies the row while it is edited. */
  key: number
  network: string
  link: string
}

export interface ProfileDraft {
  firstname: string
  lastname: string
  fullName: string
  email: string
  heading: string
  description: string
  contact: string
  avatar: string
  cover: string
  links: readonly SocialLink[]
}

export const toDraft = ({ name, email, profile }: ConsoleAccount): ProfileDraft => ({
  firstname: name.firstname,
  lastname: name.lastname,
  fullName: name.full_name,
  email,
  heading: profile.heading,
  description: profile.description,
  contact: profile.contact.email,
  avatar: profile.media.avatar,
  cover: profile.media.cover,
  links: Object.entries(profile.social_links).map(([network, link], key) => ({ key, network, link })),
})

/** Empty rows are left out. */
const toSocialLinks = (links: readonly SocialLink[]) =>
  Object.fromEntries(
    links
      .map(({ network, link }) => [network.trim(), link.trim()] as const)
      .filter(([network, link]) => network && link),
  )

/** The e-mail address is sent only if it changed, because changing it requires the password. */
export function toRequest(
  draft: ProfileDraft,
  account: ConsoleAccount,
  password: string,
): ConsoleRequests['updateAccount'] {
  const email = draft.email.trim()
  return {
    name: { firstname: draft.firstname, lastname: draft.lastname, full_name: draft.fullName },
    ...(email !== account.email && { email, current_password: password }),
    profile: {
      heading: draft.heading,
      description: draft.description,
      contact: { email: draft.contact.trim() },
      social_links: toSocialLinks(draft.links),
      media: { avatar: draft.avatar.trim(), cover: draft.cover.trim() },
    },
  }
}

/** Whether saving the draft would change the account. */
export const isChanged = (draft: ProfileDraft, account: ConsoleAccount): boolean =>
  JSON.stringify(toRequest(draft, account, '')) !== JSON.stringify(toRequest(toDraft(account), account, ''))
