import { createContext, type ReactNode, type RefObject, use, useEffect, useRef } from 'react'

export type CredentialKind = 'key' | 'token'
type Credentials = Record<CredentialKind, string>

const CredentialsContext = createContext<RefObject<Credentials> | null>(null)

const none = (): Credentials => ({ key: '', token: '' })

/**
 * What was typed to try an operation, for the other operations. In a variable: an attribute, a URL or the browser's storage would keep it.
 * Cleared when the user leaves, because the browser may restore the page as it was.
 */
export function CredentialsProvider({ children }: { children: ReactNode }) {
  const typed = useRef(none())
  useEffect(() => {
    const forget = () => {
      typed.current = none()
    }
    addEventListener('pagehide', forget)
    return () => removeEventListener('pagehide', forget)
  }, [])
  return <CredentialsContext value={typed}>{children}</CredentialsContext>
}

export function useCredentials(): RefObject<Credentials> {
  const typed = use(CredentialsContext)
  if (!typed) throw new Error('CredentialsProvider is missing')
  return typed
}
