import { common } from './en/common.ts'
import { items } from './en/items.ts'
import { keys } from './en/keys.ts'

/** The English texts. They are the type of every other language: what is missing there does not compile. */
export const en = { ...common, items, keys }

export type Messages = typeof en
