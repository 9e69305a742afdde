import type { ConsoleAccount, ConsoleRequests } from '@saleproof/schema/console'

export interface SocialLink {
  /** Identifies the row while it is edited. */
  key: number
  network: string
  link: string
}

/** An account as it is edited: its social links are rows. */
export interface ProfileDraft extends Pick<ConsoleAccount, 'name' | 'email'> {
  profile: Omit<ConsoleAccount['profile'], 'social_links'>
  links: readonly SocialLink[]
}

export function toDraft({
  name,
  email,
  profile: { social_links, ...profile },
}: ConsoleAccount): ProfileDraft {
  const links = Object.entries(social_links).map(([network, link], key) => ({ key, network, link }))
  return { name, email, profile, links }
}

/** A text of a draft, by its path in the request. */
export const textAt = (draft: object, path: string): string =>
  String(path.split('.').reduce<unknown>((value, name) => Reflect.get(Object(value), name), draft))

/** The draft with another text at a path. */
export function withText<Value extends object>(value: Value, path: string, text: string): Value {
  const [name = '', ...rest] = path.split('.')
  const inner = rest.length > 0 ? withText(Object(Reflect.get(value, name)), rest.join('.'), text) : text
  return { ...value, [name]: inner }
}

/** Empty rows are left out. */
const toSocialLinks = (links: readonly SocialLink[]) =>
  Object.fromEntries(
    links
      .map(({ network, link }) => [network.trim(), link.trim()] as const)
      .filter(([network, link]) => network && link),
  )

/** The e-mail address is sent only if it changed, because changing it requires the password. */
export const toRequest = (
  { name, email, profile, links }: ProfileDraft,
  account: ConsoleAccount,
  password: string,
): ConsoleRequests['updateAccount'] => ({
  name,
  ...(email !== account.email && { email, current_password: password }),
  profile: { ...profile, social_links: toSocialLinks(links) },
})

/** Whether saving the draft would change the account. */
export const isChanged = (draft: ProfileDraft, account: ConsoleAccount): boolean =>
  JSON.stringify(toRequest(draft, account, '')) !== JSON.stringify(toRequest(toDraft(account), account, ''))
