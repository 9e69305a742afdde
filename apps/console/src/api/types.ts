import type { Locale, Shape } from '@saleproof/schema'

export interface ConsoleAccount {
  id: string
  username: string
  email: string
  full_name: string
}

export interface ConsoleWorkspace {
  slug: string
  name: string
  shape: Shape | null
  locale: Locale | null
}

export interface Session {
  account: ConsoleAccount
  workspaces: ConsoleWorkspace[]
  csrf_token: string
  expires_at: string
}
