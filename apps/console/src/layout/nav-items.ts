import { paths } from '../app/pages.ts'
import type { Messages } from '../messages/en.ts'
import {
  Boxes,
  ChartNoAxesColumn,
  Ellipsis,
  KeyRound,
  type LucideIcon,
  ReceiptText,
  ScanSearch,
  SlidersHorizontal,
} from '../ui/icons.ts'

export interface NavItem {
  path: (typeof paths)['overview' | 'items' | 'purchases' | 'check' | 'apiAccess' | 'settings' | 'more']
  name: (nav: Messages['nav']) => string
  icon: LucideIcon
}

export const navItems = {
  overview: { path: paths.overview, name: (nav) => nav.overview, icon: ChartNoAxesColumn },
  items: { path: paths.items, name: (nav) => nav.items, icon: Boxes },
  purchases: { path: paths.purchases, name: (nav) => nav.purchases, icon: ReceiptText },
  check: { path: paths.check, name: (nav) => nav.check, icon: ScanSearch },
  apiAccess: { path: paths.apiAccess, name: (nav) => nav.apiAccess, icon: KeyRound },
  settings: { path: paths.settings, name: (nav) => nav.workspace, icon: SlidersHorizontal },
  more: { path: paths.more, name: (nav) => nav.more, icon: Ellipsis },
} satisfies Record<string, NavItem>

/** Whether a page lies at or below a destination. The overview is above all others, so that it has to be the page itself. */
export const isAt = (location: string, target: string, path: NavItem['path']) =>
  location === target || (path !== paths.overview && location.startsWith(`${target}/`))
