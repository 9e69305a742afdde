import { createContext, use } from 'react'
import type { Api } from './client.ts'

const ApiContext = createContext<Api | null>(null)
export const ApiProvider = ApiContext

export function useApi(): Api {
  const api = use(ApiContext)
  if (!api) throw new Error('there is no API here')
  return api
}
