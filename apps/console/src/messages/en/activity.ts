import type { ActivityAction, ActivityKind, ActorKind } from '@saleproof/schema/console'
import type { PurchaseState } from '@saleproof/schema/constants'
import { plural } from '../plural.ts'

/** What a sentence is about, in words. */
export interface ActivityAbout {
  who: string
  by: ActorKind
  key: string
  item: string
  purchase: string
  /** The state that a purchase got; undefined where it is not known. */
  state: PurchaseState | undefined
  /** What an import created or changed; `''` where that is not known. */
  records: string
  /** The file that it came from, after a space; `''` where there is none. */
  file: string
}

const purchaseChanges = {
  active: ({ who, purchase }: ActivityAbout) => `${who} reinstated ${purchase}.`,
  refunded: ({ who, purchase }: ActivityAbout) => `${who} marked ${purchase} as refunded.`,
  revoked: ({ who, purchase }: ActivityAbout) => `${who} revoked ${purchase}.`,
} satisfies Record<PurchaseState, unknown>

export const activity = {
  lead: 'What was done in this workspace, with your account and with the service, and by whom.',
  kind: 'Kind',
  anyKind: 'All kinds',
  kinds: {
    keys: 'API keys',
    purchases: 'Purchases',
    items: 'Items',
    data: 'Imports and exports',
    settings: 'Workspace',
    account: 'Account and password',
    sign_ins: 'Sign-ins and sessions',
    service: 'Service',
  } satisfies Record<ActivityKind, string>,
  by: 'By',
  anyone: 'Anyone',
  actors: {
    account: 'You',
    cli: 'Command line',
    admin_import: 'Programs with the admin token',
  } satisfies Record<ActorKind, string>,
  what: 'What',
  when: 'When',
  none: 'No activity found',
  noneText: 'Choose another kind, or another person.',
  showAll: 'Show all activity',
  removedAccount: 'A removed account',
  commandLine: 'The command line',
  adminProgram: 'A program with the admin token',
  key: (name: string) => `the key ${name}`,
  someKey: 'a key',
  item: (name: string) => `the item ${name}`,
  someItem: 'an item',
  purchase: (code: string) => `the purchase ${code}`,
  somePurchase: 'a purchase',
  items: (count: number) => plural('en', count, { one: 'item', other: 'items' }),
  purchases: (count: number) => plural('en', count, { one: 'purchase', other: 'purchases' }),
  fromFile: (name: string, profile: string) =>
    profile === 'none' ? ` from ${name}` : ` from ${name} (${profile})`,
  sentences: {
    'key.created': ({ who, key }) => `${who} created ${key}.`,
    'key.rotated': ({ who, key }) => `${who} rotated ${key}.`,
    'key.shown': ({ who, key }) => `${who} showed ${key} again.`,
    'key.revoked': ({ who, key }) => `${who} revoked ${key}.`,
    'signing_key.created': ({ who }) => `${who} created a signing key.`,
    'signing_key.retired': ({ who }) => `${who} retired a signing key.`,
    'purchase.created': ({ who, purchase }) => `${who} recorded ${purchase} by hand.`,
    'purchase.edited': ({ who, purchase }) => `${who} edited ${purchase}.`,
    'customer.erased': ({ who }) => `${who} erased a customer.`,
    'purchase.removed': ({ who }) => `${who} removed a purchase.`,
    'purchase.changed': (about) =>
      about.state
        ? purchaseChanges[about.state](about)
        : `${about.who} changed the status of ${about.purchase}.`,
    'item.edited': ({ who, item }) => `${who} edited ${item}.`,
    'item.withdrawn': ({ who, item }) => `${who} withdrew ${item}.`,
    'item.restored': ({ who, item }) => `${who} brought back ${item}.`,
    'item.removed': ({ who, item }) => `${who} removed ${item}.`,
    import: ({ who, records, file }) =>
      records ? `${who} created or changed ${records}${file}.` : `${who} imported records${file}.`,
    export: ({ who, by }) =>
      by === 'cli' ? `${who} exported everything, keys included.` : `${who} exported purchases.`,
    'workspace.created': ({ who }) => `${who} created this workspace.`,
    'workspace.changed': ({ who }) => `${who} changed the settings of this workspace.`,
    'account.created': ({ who }) => `${who} created your account.`,
    'account.changed': ({ who }) => `${who} changed your profile.`,
    'account.removed': ({ who }) => `${who} erased the personal data of your account.`,
    'password.changed': ({ who }) => `${who} changed your password.`,
    'password.reset': ({ who }) => `${who} set a new password with a reset link.`,
    'reset_link.created': ({ who }) => `${who} made a link to reset your password.`,
    login: ({ who }) => `${who} signed in.`,
    'login.failed': ({ who }) => `A wrong password was entered for ${who}.`,
    logout: ({ who }) => `${who} signed out.`,
    'session.ended': ({ who }) => `${who} ended a session.`,
    'sessions.ended': ({ who }) => `${who} ended all other sessions.`,
    backup: ({ who }) => `${who} backed up the service.`,
    restore: ({ who }) => `${who} restored the service from a backup.`,
    'secret.rotated': ({ who }) => `${who} rotated the secret of the service.`,
    transfer: ({ who }) => `${who} moved the service to another database.`,
    'writes.lost': ({ who }) => `${who} started the service without changes that its database had lost.`,
  } satisfies Record<ActivityAction, (about: ActivityAbout) => string>,
}

/** Loaded with the page of the activity log, which few visits open. */
export type ActivityMessages = typeof activity
