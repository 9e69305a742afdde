import type * as v from 'valibot'
import { accountEndpoints } from './account.ts'
import { activityEndpoints } from './activity.ts'
import { checkEndpoints } from './check.ts'
import { importEndpoints } from './import.ts'
import { itemEndpoints } from './items.ts'
import { keyEndpoints } from './keys.ts'
import { overviewEndpoints } from './overview.ts'
import { purchaseEndpoints } from './purchases.ts'
import { salesFileEndpoints } from './sales-files.ts'
import { signingKeyEndpoints } from './signing-keys.ts'
import { workspaceEndpoints } from './workspaces.ts'

/** The endpoints of the console. */
export const consoleEndpoints = {
  ...accountEndpoints,
  ...workspaceEndpoints,
  ...keyEndpoints,
  ...signingKeyEndpoints,
  ...itemEndpoints,
  ...purchaseEndpoints,
  ...checkEndpoints,
  ...activityEndpoints,
  ...overviewEndpoints,
  ...importEndpoints,
  ...salesFileEndpoints,
}

type Endpoints = typeof consoleEndpoints

/** The name of an endpoint of the console. */
export type ConsoleEndpointName = keyof Endpoints

/** The request of each endpoint: the query of a `GET`, records with a query, or the JSON body of any other. */
export type ConsoleRequests = {
  [Name in ConsoleEndpointName]: Endpoints[Name] extends { records: infer Item }
    ? v.InferOutput<Endpoints[Name]['request']> & { records: Item[] | Blob }
    : Endpoints[Name] extends { file: infer Choices }
      ? { file: Blob; choices: Choices }
      : v.InferInput<Endpoints[Name]['request']>
}

/** The successful response of each endpoint. `undefined` is a 204 without a body, a `Blob` a file. */
export type ConsoleResponses = {
  [Name in ConsoleEndpointName]: Endpoints[Name]['response']
}

/** The names of the parameters in a path. */
type ParametersOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParametersOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** What fills the parameters in the path of an endpoint. */
export type ConsolePathParameters<Name extends ConsoleEndpointName> = Record<
  ParametersOf<Endpoints[Name]['path']>,
  string
>
