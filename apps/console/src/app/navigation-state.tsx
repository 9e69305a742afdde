import { createContext, type ReactNode, type RefObject, use, useEffect, useRef, useState } from 'react'

/** What one page passes to the next. Kept in memory only: a URL or the browser's history would store the purchase code. */
interface NavigationState {
  /** A code for the check page. */
  check?: string
  /** The code of the purchase that the purchases page opens. */
  purchase?: string
}

const NavigationStateContext = createContext<RefObject<NavigationState> | null>(null)

export function NavigationStateProvider({ children }: { children: ReactNode }) {
  const state = useRef<NavigationState>({})
  return <NavigationStateContext value={state}>{children}</NavigationStateContext>
}

function useStateRef() {
  const state = use(NavigationStateContext)
  if (!state) throw new Error('NavigationStateProvider is missing')
  return state
}

export function useSetNavigationState() {
  const ref = useStateRef()
  return (next: NavigationState) => {
    ref.current = next
  }
}

/** Reads what the previous page passed on, then clears it. */
export function useNavigationState(name: keyof NavigationState): string | undefined {
  const ref = useStateRef()
  const [value] = useState(() => ref.current[name])
  useEffect(() => {
    ref.current = {}
  }, [ref])
  return value
}
