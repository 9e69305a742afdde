import type { CappedCount, CheckReason } from '@saleproof/schema/console'
import { plural } from '../plural.ts'

/** What a reason means, and what to do about it. */
interface ReasonText {
  title: string
  text: string
  nextStep: string
}

export const check = {
  lead: 'Paste the code exactly as the customer sent it. You see how the API responds, and why.',
  key: 'API key',
  anyKey: 'Any secret key of this workspace',
  submit: 'Check',
  stamps: { success: 'Valid', error: 'Invalid', warning: 'Unknown', near: 'Near match' },
  nextStep: 'What to do',
  onceActive: 'Once it is active again',
  openPurchase: 'Open the purchase',
  customer: ({ count, more }: CappedCount) =>
    `${more ? 'More than ' : ''}${plural('en', count, { one: 'purchase', other: 'purchases' })} of this customer`,
  search: 'Search the purchases',
  meant: 'The customer probably means',
  goToWorkspace: (slug: string) => `Go to the workspace ${slug}`,
  responses: 'API response',
  responsesText: 'The API responds in the language that the request asks for.',
  status: 'Status',
  headers: 'Headers',
  body: 'Body',
  notCounted: 'This check does not count in statistics or rate limits.',
  empty: 'A customer says a code does not work?',
  emptyText: 'Spaces, other kinds of dashes and invisible characters are fine: the API removes them.',
  reasons: {
    valid: {
      title: 'The code is valid',
      text: 'The purchase exists and is active.',
      nextStep:
        'Nothing. If the customer’s program still rejects it, check which key and which service URL the program uses.',
    },
    valid_as_paste: {
      title: 'The code is valid after cleanup',
      text: 'It contains whitespace, other kinds of dashes or invisible characters. The API accepts it anyway.',
      nextStep:
        'Nothing. If the customer’s program rejects it before it calls the API, send them the clean code.',
    },
    refunded: {
      title: 'The purchase was refunded',
      text: 'The code was sold, but its purchase is marked as refunded.',
      nextStep: 'If that is a mistake, open the purchase and reinstate it.',
    },
    revoked: {
      title: 'The purchase was revoked',
      text: 'The code was sold, but its purchase was revoked.',
      nextStep: 'If that is a mistake, open the purchase and reinstate it.',
    },
    other_item: {
      title: 'The key is not allowed for this item',
      text: 'The code is valid, but this publishable key is limited to other items.',
      nextStep:
        'Use a key for this item, or one that works for all items. The customer may also be using the code of another product.',
    },
    other_workspace: {
      title: 'The code was sold in another workspace',
      text: 'A key only has access to its own workspace, where this code does not exist.',
      nextStep: 'Use a key of that workspace.',
    },
    in_text: {
      title: 'The text contains a code that was sold here',
      text: 'The customer pasted more than the code. The API takes the whole text as the code and rejects it.',
      nextStep: 'Send the customer the code alone, and ask them to paste nothing else.',
    },
    other_case: {
      title: 'Uppercase and lowercase do not match',
      text: 'There is a purchase whose code differs only in uppercase and lowercase letters.',
      nextStep: 'Send the customer the correct code, and ask them to copy it instead of typing it.',
    },
    other_dashes: {
      title: 'The dashes do not match',
      text: 'There is a purchase with the same letters and digits, but with dashes in other places.',
      nextStep: 'Send the customer the correct code, and ask them to copy it with its dashes.',
    },
    typo: {
      title: 'The code is probably mistyped',
      text: 'There is a purchase whose code differs in one character, or in two that look alike.',
      nextStep: 'Compare the item and the date with the receipt, then send the customer the correct code.',
    },
    api_key: {
      title: 'This is an API key',
      text: 'The text contains an API key of your account, not a purchase code. It has been removed from the field.',
      nextStep:
        'If a customer sent it, revoke this key: everyone who has seen it can use it. Then ask for the purchase code.',
    },
    cut_off: {
      title: 'The code is incomplete',
      text: 'There is a purchase whose code has this part. The rest is missing.',
      nextStep: 'Ask the customer for the whole code, or send it to them.',
    },
    customer: {
      title: 'The text names a customer',
      text: 'It contains no code that was sold here, but the e-mail address or the order of a customer.',
      nextStep: 'Open the purchases, and send the customer the code of the right one.',
    },
    too_short: {
      title: 'The code is too short',
      text: 'No purchase has this code, and it is shorter than codes usually are.',
      nextStep: 'Ask the customer to copy the code from the email or the receipt.',
    },
    not_found: {
      title: 'No purchase has this code',
      text: 'It was mistyped, or not sold here.',
      nextStep: 'Ask for the receipt, and find the purchase by date and item.',
    },
    empty: {
      title: 'The code is empty',
      text: 'Only whitespace was sent.',
      nextStep: 'Check that the program sends the field that the customer filled in.',
    },
    too_long: {
      title: 'The code is too long',
      text: 'It has more than 255 characters.',
      nextStep: 'Ask for the code only: the customer may have pasted a whole message.',
    },
    malformed: {
      title: 'The code has invalid characters',
      text: 'It contains characters that cannot be part of any text.',
      nextStep: 'Ask the customer to copy the code again, from another place.',
    },
    key_expired: {
      title: 'The key has expired',
      text: 'The API rejects this key, whatever the code is. That says nothing about the purchase.',
      nextStep: 'Generate a new key under API Access, and replace this one with it.',
    },
    key_revoked: {
      title: 'The key was revoked',
      text: 'The API rejects this key, whatever the code is. That says nothing about the purchase.',
      nextStep: 'Use an active key: see API Access.',
    },
  } satisfies Record<CheckReason, ReasonText>,
}

export type CheckMessages = typeof check
