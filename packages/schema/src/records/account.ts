import { type Fields, inBothShapes, nowhere } from './fields.ts'

/** The seller who owns the workspace of a key. The same in both shapes. */
export interface Account {
  name: { firstname: string; lastname: string; full_name: string }
  username: string
  email: string
  /** In whole units of `currency`, exact to its minor unit; may be negative. */
  balance: number
  /** ISO 4217. */
  currency: string
  profile: {
    heading: string
    description: string
    contact: { email: string }
    /** Links by the name of a network; the set of names is open. */
    social_links: Record<string, string>
    /** Absolute http(s) URLs, or `""`. */
    media: { avatar: string; cover: string }
  }
  /** `YYYY-MM-DDTHH:mm:ssZ`, UTC. */
  registered_at: string
}

/** An account in the import format. */
export interface AccountRecord extends Omit<Account, 'balance'> {
  readonly type: 'account'
  readonly balance: number | string
}

/** The fields of an account. */
export const accountFields = {
  name: {
    firstname: { type: 'text', shown: inBothShapes },
    lastname: { type: 'text', shown: inBothShapes },
    full_name: { type: 'text', shown: inBothShapes },
  },
  username: { type: 'username', shown: inBothShapes },
  email: { type: 'email', shown: inBothShapes },
  balance: { type: 'amount', shown: inBothShapes },
  currency: { type: 'currency', shown: inBothShapes },
  profile: {
    heading: { type: 'text', shown: inBothShapes },
    description: { type: 'text', shown: inBothShapes },
    contact: { email: { type: 'email', shown: inBothShapes } },
    social_links: { type: 'link_map', shown: inBothShapes },
    media: {
      avatar: { type: 'optional_link', shown: inBothShapes },
      cover: { type: 'optional_link', shown: inBothShapes },
    },
  },
  registered_at: { type: 'timestamp', shown: inBothShapes },
  password: { type: 'password', shown: nowhere, optional: true },
  password_hash: { type: 'password_hash', shown: nowhere, optional: true },
} as const satisfies Fields

/** What the OpenAPI document says of the fields, by path. */
export const accountDescriptions = {
  balance: 'In whole units of `currency`, exact to its minor unit; may be negative.',
  'profile.social_links':
    'Links by the name of a network, in the order they were given in. The names are open.',
}

/** The account of the OpenAPI examples. */
export const exampleAccount: AccountRecord = {
  type: 'account',
  name: { firstname: 'Ada', lastname: 'Lima', full_name: 'Ada Lima' },
  username: 'ada',
  email: 'ada@example.com',
  balance: 1250.5,
  currency: 'USD',
  profile: {
    heading: 'Interface sounds and textures',
    description: 'Small things that make a product feel finished.',
    contact: { email: 'hi@example.com' },
    social_links: { x: 'https://x.com/ada', facebook: 'https://facebook.com/ada' },
    media: { avatar: 'https://cdn.example.com/ada/avatar.png', cover: '' },
  },
  registered_at: '2023-01-31T08:00:00Z',
}
