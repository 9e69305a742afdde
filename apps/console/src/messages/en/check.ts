import type { CheckReason } from '@saleproof/schema/console'

/** What a reason means, and what is to be done about it. */
export interface ReasonText {
  title: string
  text: string
  todo: string
}

export const check = {
  title: 'Check a code',
  lead: 'Paste what the customer sent, just as it came. You see what the API answers, and why.',
  code: 'Purchase code',
  key: 'Asked with',
  anyKey: 'A secret key of this workspace',
  submit: 'Check',
  again: 'Check another code',
  stamps: { good: 'Valid', bad: 'Invalid', warn: 'No answer' },
  why: 'Why',
  todo: 'What to do',
  purchase: 'The purchase',
  open: 'Open the purchase',
  toWorkspace: (slug: string) => `Go to the workspace ${slug}`,
  answers: 'What the API answers',
  answersText: 'A caller gets the answer in the language that it asks for.',
  status: 'Status',
  headers: 'Headers',
  body: 'Body',
  quiet: 'This look-up counts neither in the statistics nor in any limit.',
  empty: 'A customer says that a code does not work?',
  emptyText:
    'Spaces, other dashes and invisible characters from an e-mail do no harm: the API cleans them off.',
  reasons: {
    valid: {
      title: 'The code is valid',
      text: 'The purchase exists and is active.',
      todo: 'Nothing. If the customer’s program still refuses it, look at the key that the program uses, and whether it asks this service.',
    },
    valid_as_paste: {
      title: 'The code is valid, once cleaned',
      text: 'It came with white space, other dashes or invisible characters. The API takes it all the same.',
      todo: 'Nothing. If the customer’s program refuses it before it asks the API, send them the clean code.',
    },
    refunded: {
      title: 'The purchase was refunded',
      text: 'The code was sold, and its purchase is marked as refunded. It no longer entitles to anything.',
      todo: 'If that is a mistake, open the purchase and reinstate it.',
    },
    revoked: {
      title: 'The purchase was revoked',
      text: 'The code was sold, and its purchase was revoked. It no longer entitles to anything.',
      todo: 'If that is a mistake, open the purchase and reinstate it.',
    },
    other_item: {
      title: 'This key may not see the item',
      text: 'The code is good, but this publishable key is bound to other items.',
      todo: 'Use a key for this item, or one that is bound to none. Perhaps the customer uses the code of another product of yours.',
    },
    other_workspace: {
      title: 'It was sold in another workspace of yours',
      text: 'A key sees its own workspace only. To it this code does not exist.',
      todo: 'Ask with a key of that workspace.',
    },
    other_case: {
      title: 'Small and capital letters are mixed up',
      text: 'There is a purchase whose code differs in its small and capital letters only.',
      todo: 'Send the customer the code as it is, to be copied, not typed.',
    },
    cut_off: {
      title: 'The end is missing',
      text: 'There is a purchase whose code begins like this. The code was not copied to its end.',
      todo: 'Ask the customer for the whole code, or send it to them.',
    },
    too_short: {
      title: 'This is too short for a code',
      text: 'No purchase has this code, and it is shorter than codes are.',
      todo: 'Ask the customer to copy the code from the e-mail or the receipt.',
    },
    not_found: {
      title: 'No purchase has this code',
      text: 'It was mistyped, or never sold here.',
      todo: 'Ask for the receipt, and find the purchase by its day and item.',
    },
    empty: {
      title: 'There is no code',
      text: 'Nothing but white space was sent.',
      todo: 'Look whether the program sends the field that the customer filled in.',
    },
    too_long: {
      title: 'This is too long for a code',
      text: 'It has more than 255 characters.',
      todo: 'Ask for the code alone: perhaps a whole message was pasted.',
    },
    malformed: {
      title: 'No code looks like this',
      text: 'It holds characters that no text can have.',
      todo: 'Ask the customer to copy the code once more, from another place.',
    },
    key_expired: {
      title: 'The key has expired',
      text: 'Whatever the code is, the API refuses this key. It says nothing about the purchase.',
      todo: 'Generate a new key under API Access, and put it where this one is used.',
    },
    key_revoked: {
      title: 'The key was revoked',
      text: 'Whatever the code is, the API refuses this key. It says nothing about the purchase.',
      todo: 'Use a live key: API Access lists them.',
    },
  } satisfies Record<CheckReason, ReasonText>,
}
