import { common } from './en/common.ts'

/** The English texts. They are the type of every other language: what is missing there does not compile. */
export const en = { ...common }

export type Messages = typeof en
