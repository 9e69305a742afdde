import { check } from './en/check.ts'
import { common } from './en/common.ts'
import { items } from './en/items.ts'
import { keys } from './en/keys.ts'
import { overview } from './en/overview.ts'
import { purchases } from './en/purchases.ts'
import { records } from './en/records.ts'
import { settings } from './en/settings.ts'

/** The English messages. They are the type of every other language, so a missing one does not compile. */
export const en = { ...common, check, items, keys, overview, purchases, records, settings }

export type Messages = typeof en
