import type { ConsoleWorkspace } from '@saleproof/schema/console'
import { createContext, use } from 'react'
import { useSignedIn } from '../api/session.ts'
import { preferences } from './local-storage.ts'

const WorkspaceContext = createContext<ConsoleWorkspace | null>(null)
export const WorkspaceProvider = WorkspaceContext

/** The workspace of the page. */
export function useWorkspace(): ConsoleWorkspace {
  const workspace = use(WorkspaceContext)
  if (!workspace) throw new Error('WorkspaceProvider is missing')
  return workspace
}

/** The workspace of the URL, else the last open one, else the first; undefined if the account has none. */
export function useCurrentWorkspace(slug?: string): ConsoleWorkspace | undefined {
  const { workspaces } = useSignedIn()
  const find = (wanted: string | null | undefined) =>
    workspaces.find((workspace) => workspace.slug === wanted)
  return find(slug) ?? find(preferences.get('workspace')) ?? workspaces[0]
}
