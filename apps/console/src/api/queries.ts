import type { ConsoleEndpointName, ConsolePathParameters, ConsoleResponses } from '@saleproof/schema/console'
import {
  keepPreviousData,
  type MutateOptions,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useRef } from 'react'
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

/** Calls endpoints of the workspace of the page; `scope` is what the keys of their responses begin with. */
function useWorkspaceApi() {
  const api = useApi()
  const { slug } = useWorkspace()
  const call = <Name extends WorkspaceEndpoint>(
    name: Name,
    values: WorkspaceValues<Name>,
    signal?: AbortSignal,
    // TypeScript does not see that a type which it does not know yet is whole with the slug.
  ) => api(name, { ...values, slug } as unknown as Values<Name>, signal)
  return { call, scope: ['workspace', slug] }
}

export function useWorkspaceQuery<Name extends WorkspaceEndpoint>(
  name: Name,
  values: WorkspaceValues<Name>,
  options: QueryOptions = {},
) {
  const { call, scope } = useWorkspaceApi()
  return useQuery({
    queryKey: [...scope, name, values],
    queryFn: ({ signal }) => call(name, values, signal),
    ...options,
  })
}

/** A list, page by page. The previous results stay visible until the next ones arrive. */
export function useWorkspaceList<Name extends ListEndpoint>(
  name: Name,
  values: WorkspaceValues<Name>,
  options: QueryOptions = {},
) {
  const { call, scope } = useWorkspaceApi()
  return useInfiniteQuery({
    queryKey: [...scope, name, values],
    queryFn: ({ pageParam, signal }) =>
      call(name, { ...values, ...(pageParam && { cursor: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
    placeholderData: keepPreviousData,
    ...options,
  })
}

/**
 * A change is done once the pages show it. One that failed may be stored, or what it changes may be gone.
 * While it runs, it is not begun again: a double click is one request.
 */
function useChange<Variables, Response>(
  shownIn: QueryKey,
  mutationFn: (variables: Variables) => Promise<Response>,
) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: shownIn })
  const isRunning = useRef(false)
  const onSettled = () => {
    isRunning.current = false
  }
  const change = useMutation({ mutationFn, onSuccess: refresh, onError: () => void refresh(), onSettled })
  const mutate = (variables: Variables, options: MutateOptions<Response, Error, Variables> = {}) => {
    if (isRunning.current) return
    isRunning.current = true
    change.mutate(variables, options)
  }
  return { ...change, mutate }
}

/** The requests that change nothing that a page shows. */
const reads: ReadonlySet<WorkspaceEndpoint> = new Set(['check', 'exportPurchases', 'showKey'])

export function useWorkspaceMutation<Name extends WorkspaceEndpoint>(name: Name) {
  const { call, scope } = useWorkspaceApi()
  return useChange(
    reads.has(name) ? [name] : scope,
    ({ signal, ...values }: WorkspaceValues<Name> & { signal?: AbortSignal }) =>
      call(name, values as unknown as WorkspaceValues<Name>, signal),
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
