import { signingKeyLimits } from '@saleproof/schema/console/constants'
import { recordIssues } from '@saleproof/schema/records'
import type { DomainError, DomainErrorCode } from '../domain/domain-error.ts'

const texts: Readonly<Record<DomainErrorCode, (...values: readonly string[]) => string>> = {
  account_taken: (username) => `account ${username} already exists: choose another username`,
  account_unknown: () => 'there is no account with that name',
  email_taken: () => 'another account signs in with that username or e-mail address: choose another',
  end_past: () => 'the end of the old key is in the past',
  expiry_past: () => 'the expiry date is in the past',
  item_sold: (id, count) => `item ${id} has ${count} purchases: add --with-purchases to remove them too`,
  item_unknown: (id) => `there is no item ${id}`,
  key_inactive: () => 'only a key that works can be rotated',
  key_items: (ids) => `this workspace has no item ${ids}`,
  key_replaced: () => 'that key has a successor already: rotate the successor',
  key_secret: () => 'only a publishable key can be bound to items',
  key_unknown: () => 'there is no key with that id: "key list" shows them',
  last_item: (id, keys) => `item ${id} is the only item of key ${keys}: revoke that key first`,
  name_taken: () => 'another key of this workspace has that name',
  owner_unknown: (username) => `there is no account ${username}: create or import it first`,
  retired_signing_keys: () =>
    `a workspace has at most ${signingKeyLimits.all} signing keys with those retired in the last 90 days: another is possible 90 days after the oldest retirement`,
  signing_key_unknown: () =>
    'there is no signing key with that id: "signing-key list --workspace SLUG" shows them',
  signing_keys: () =>
    `a workspace has at most ${signingKeyLimits.signing} signing keys that are not retired: retire one that no program needs`,
  slug: () => `slug ${recordIssues.en.slug}`,
  slug_taken: (slug) => `workspace ${slug} already exists: choose another slug`,
  workspace_name: () => 'a workspace needs a name',
  workspace_unknown: (slug) => `there is no workspace ${slug}: "workspace list" shows them`,
}

/** What a domain error says to an operator. */
export const describeDomainError = ({ code, values }: DomainError) => texts[code](...values)
