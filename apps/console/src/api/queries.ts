import type { ConsoleEndpointName, ConsolePathParameters, ConsoleResponses } from '@saleproof/schema/console'
import {
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useWorkspace } from '../app/workspace.ts'
import type { Values } from './client.ts'
import { useApi } from './context.ts'

/** The endpoints below a workspace. */
type WorkspaceEndpoint = {
  [Name in ConsoleEndpointName]: 'slug' extends keyof ConsolePathParameters<Name> ? Name : never
}[ConsoleEndpointName]

/** Those of them that respond page by page. */
type ListEndpoint = {
  [Name in WorkspaceEndpoint]: ConsoleResponses[Name] extends { next_cursor: string | null } ? Name : never
}[WorkspaceEndpoint]

/** What an endpoint takes beside the slug of its workspace. */
export type WorkspaceValues<Name extends WorkspaceEndpoint> = Omit<Values<Name>, 'slug'>

interface QueryOptions {
  enabled?: boolean
  staleTime?: number
  refetchInterval?: number
  /** Keeps showing the previous response until the next one arrives. */
  placeholderData?: typeof keepPreviousData
}

/** Calls an endpoint of the workspace of the page. */
function useWorkspaceApi() {
  const api = useApi()
  const { slug } = useWorkspace()
  return <Name extends WorkspaceEndpoint>(
    name: Name,
    values: WorkspaceValues<Name>,
    signal?: AbortSignal,
    // TypeScript does not see that a type which it does not know yet is whole with the slug.
  ) => api(name, { ...values, slug } as unknown as Values<Name>, signal)
}

export function useWorkspaceQuery<Name extends WorkspaceEndpoint>(
  name: Name,
  values: WorkspaceValues<Name>,
  options: QueryOptions = {},
) {
  const api = useWorkspaceApi()
  const { slug } = useWorkspace()
  return useQuery({
    queryKey: ['workspace', slug, name, values],
    queryFn: ({ signal }) => api(name, values, signal),
    ...options,
  })
}

/** A list, page by page. The previous results stay visible until the next ones arrive. */
export function useWorkspaceList<Name extends ListEndpoint>(
  name: Name,
  values: WorkspaceValues<Name>,
  options: QueryOptions = {},
) {
  const api = useWorkspaceApi()
  const { slug } = useWorkspace()
  return useInfiniteQuery({
    queryKey: ['workspace', slug, name, values],
    queryFn: ({ pageParam, signal }) =>
      api(name, { ...values, ...(pageParam && { cursor: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
    placeholderData: keepPreviousData,
    ...options,
  })
}

/** A change is done once the pages show it. One that failed may be stored, or what it changes may be gone. */
function useChange<Variables, Response>(
  shownIn: QueryKey,
  mutationFn: (variables: Variables) => Promise<Response>,
) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: shownIn })
  return useMutation({ mutationFn, onSuccess: refresh, onError: () => void refresh() })
}

/** The requests that change nothing that a page shows. */
const reads: ReadonlySet<WorkspaceEndpoint> = new Set(['check', 'exportPurchases', 'showKey'])

export function useWorkspaceMutation<Name extends WorkspaceEndpoint>(name: Name) {
  const api = useWorkspaceApi()
  const { slug } = useWorkspace()
  return useChange(
    reads.has(name) ? [name] : ['workspace', slug],
    ({ signal, ...values }: WorkspaceValues<Name> & { signal?: AbortSignal }) =>
      api(name, values as unknown as WorkspaceValues<Name>, signal),
  )
}

export function useAccountQuery<Name extends ConsoleEndpointName>(
  name: Name,
  values: Values<Name>,
  options: QueryOptions = {},
) {
  const api = useApi()
  return useQuery({
    queryKey: ['account', name, values],
    queryFn: ({ signal }) => api(name, values, signal),
    ...options,
  })
}

/** Changes the account, or what the session says of its workspaces. */
export function useAccountMutation<Name extends ConsoleEndpointName>(name: Name) {
  const api = useApi()
  return useChange(['account'], (values: Values<Name>) => api(name, values))
}
