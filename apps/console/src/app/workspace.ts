import { useParams } from 'wouter'
import { useSignedIn } from '../api/session.ts'
import type { ConsoleWorkspace } from '../api/types.ts'
import { stored } from './stored.ts'

/** The workspace of the address, where it is one of the account's own. */
export function useWorkspaceOfAddress(): ConsoleWorkspace | undefined {
  const { workspace: slug } = useParams<{ workspace?: string }>()
  const { workspaces } = useSignedIn()
  return workspaces.find((workspace) => workspace.slug === slug)
}

/** The workspace that the navigation leads into: that of the address, else the one that was open last. */
export function useCurrentWorkspace(slug: string | undefined): ConsoleWorkspace | undefined {
  const { workspaces } = useSignedIn()
  const find = (wanted: string | null | undefined) =>
    workspaces.find((workspace) => workspace.slug === wanted)
  return find(slug) ?? find(stored.get('workspace')) ?? workspaces[0]
}
