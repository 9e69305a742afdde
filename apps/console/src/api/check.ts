import type { ConsoleRequests } from '@saleproof/schema/console'
import { useMutation } from '@tanstack/react-query'
import { useWorkspace } from '../app/workspace.ts'
import { useApi } from './context.tsx'

/** Asks what the API answers to a code, and why. */
export function useCheck() {
  const api = useApi()
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: (send: ConsoleRequests['check']) => api('check', { at: { slug }, send }),
    gcTime: 0,
  })
}
