import type { Messages } from './en.ts'
import { common } from './pt/common.ts'

/** The Portuguese texts. */
export const pt = { ...common } satisfies Messages
