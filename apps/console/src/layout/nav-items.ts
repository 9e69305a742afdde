import { paths } from '../app/pages.ts'
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

export interface NavItem {
  path: (typeof paths)[
    | 'overview'
    | 'items'
    | 'purchases'
    | 'check'
    | 'apiAccess'
    | 'passes'
    | 'settings'
    | 'activity'
    | 'more']
  label: keyof Messages['nav']
  icon: LucideIcon
}

export const navItems = {
  overview: { path: paths.overview, label: 'overview', icon: ChartNoAxesColumn },
  items: { path: paths.items, label: 'items', icon: Boxes },
  purchases: { path: paths.purchases, label: 'purchases', icon: ReceiptText },
  check: { path: paths.check, label: 'check', icon: ScanSearch },
  apiAccess: { path: paths.apiAccess, label: 'apiAccess', icon: KeyRound },
  passes: { path: paths.passes, label: 'passes', icon: ShieldCheck },
  settings: { path: paths.settings, label: 'workspace', icon: SlidersHorizontal },
  activity: { path: paths.activity, label: 'activity', icon: History },
  more: { path: paths.more, label: 'more', icon: Ellipsis },
} satisfies Record<string, NavItem>

/** Whether the page at `location` belongs to a link. Every path begins with that of the overview, so it has to match exactly. */
export const isActive = (location: string, target: string, path: NavItem['path']) =>
  location === target || (path !== paths.overview && location.startsWith(`${target}/`))
