import { common } from './common.ts'
import { items } from './items.ts'
import { keys } from './keys.ts'
import { overview } from './overview.ts'
import { purchases } from './purchases.ts'
import { settings } from './settings.ts'

/** The English messages. They are the type of every other language, so a missing one does not compile. */
export const messages = { ...common, items, keys, overview, purchases, settings }

export type Messages = typeof messages

/** The region of numbers and dates in a browser that speaks another language. */
export const formatTag = 'en'
