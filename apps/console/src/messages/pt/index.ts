import type { Messages } from '../en/index.ts'
import { common } from './common.ts'
import { items } from './items.ts'
import { keys } from './keys.ts'
import { overview } from './overview.ts'
import { purchases } from './purchases.ts'
import { settings } from './settings.ts'

/** The messages in Brazilian Portuguese. */
export const messages = {
  ...common,
  items,
  keys,
  overview,
  purchases,
  settings,
} satisfies Messages

/** The region of numbers and dates in a browser that speaks another language. */
export const formatTag = 'pt-BR'
