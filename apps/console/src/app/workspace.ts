import type { ConsoleWorkspace } from '@saleproof/schema/console'
import { createContext, use } from 'react'
import { useSignedIn } from '../api/session.ts'
import { preferences } from './local-storage.ts'

const WorkspaceContext = createContext<ConsoleWorkspace | null>(null)
export const WorkspaceProvider = WorkspaceContext

/** The workspace that the page is about. */
export function useWorkspace(): ConsoleWorkspace {
  const workspace = use(WorkspaceContext)
  if (!workspace) throw new Error('this page is about no workspace')
  return workspace
}

/** The workspace that the navigation leads into: that of the address, else the one that was open last. */
export function useCurrentWorkspace(slug: string | undefined): ConsoleWorkspace | undefined {
  const { workspaces } = useSignedIn()
  const find = (wanted: string | null | undefined) =>
    workspaces.find((workspace) => workspace.slug === wanted)
  return find(slug) ?? find(preferences.get('workspace')) ?? workspaces[0]
}
