import type { Messages } from './en.ts'
import { check } from './pt/check.ts'
import { common } from './pt/common.ts'
import { items } from './pt/items.ts'
import { keys } from './pt/keys.ts'
import { overview } from './pt/overview.ts'
import { purchases } from './pt/purchases.ts'
import { records } from './pt/records.ts'
import { settings } from './pt/settings.ts'

/** The messages in Brazilian Portuguese. */
export const pt = { ...common, check, items, keys, overview, purchases, records, settings } satisfies Messages
