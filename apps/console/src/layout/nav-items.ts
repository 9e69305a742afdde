import type { paths } from '../app/pages.ts'
import type { Messages } from '../messages/en/index.ts'
import {
  Boxes,
  ChartNoAxesColumn,
  Ellipsis,
  History,
  KeyRound,
  type LucideIcon,
  ReceiptText,
  ScanSearch,
  ShieldCheck,
  SlidersHorizontal,
} from '../ui/icons.ts'

/** The pages of the navigation, by the names of their paths and labels. */
export const navIcons = {
  overview: ChartNoAxesColumn,
  items: Boxes,
  purchases: ReceiptText,
  check: ScanSearch,
  apiAccess: KeyRound,
  passes: ShieldCheck,
  workspace: SlidersHorizontal,
  activity: History,
  more: Ellipsis,
} satisfies Partial<Record<keyof typeof paths & keyof Messages['nav'], LucideIcon>>

export type NavName = keyof typeof navIcons

/** Whether the page at `location` belongs to a link. Every path begins with that of the overview, so it has to match exactly. */
export const isActive = (location: string, target: string, name: NavName) =>
  location === target || (name !== 'overview' && location.startsWith(`${target}/`))
