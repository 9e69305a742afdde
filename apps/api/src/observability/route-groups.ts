import { type OperationName, operationList } from '@saleproof/schema'
import type { RequestEvent } from '../http/request-event.ts'

/** Everything but the operations, by the start of the route. */
const groups = [
  ['/healthz', 'health'],
  ['/readyz', 'health'],
  ['/metrics', 'metrics'],
  ['/admin/import', 'import'],
  ['/console', 'console'],
  ['/docs', 'docs'],
  ['/openapi.json', 'docs'],
] as const

/** An operation, another group of routes, or `other` where no route matched. */
export type RouteGroup = OperationName | (typeof groups)[number][1] | 'other'

export const routeGroups: readonly RouteGroup[] = [
  ...operationList.map(({ name }) => name),
  ...new Set(groups.map(([, name]) => name)),
  'other',
]

/** The label of a request in the metrics, of which there are few. */
export function findRouteGroup({ operation, route }: Pick<RequestEvent, 'operation' | 'route'>): RouteGroup {
  if (operation) return operation
  return (route !== null && groups.find(([start]) => route.startsWith(start))?.[1]) || 'other'
}
