import type { Messages } from './en.ts'
import { common } from './pt/common.ts'
import { items } from './pt/items.ts'
import { keys } from './pt/keys.ts'

/** The Portuguese texts. */
export const pt = { ...common, items, keys } satisfies Messages
