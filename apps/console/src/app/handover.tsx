import { createContext, type ReactNode, use, useEffect, useRef, useState } from 'react'

/** What one page gives to the next. It is held in memory alone: an address, or the history of the browser, would keep it. */
interface Handover {
  /** A code to be checked. */
  check?: string
  /** A code whose purchase is to be shown. */
  purchase?: string
}

const HandoverContext = createContext<{ current: Handover } | null>(null)

export function HandoverProvider({ children }: { children: ReactNode }) {
  const handover = useRef<Handover>({})
  return <HandoverContext value={handover}>{children}</HandoverContext>
}

function useHandover() {
  const handover = use(HandoverContext)
  if (!handover) throw new Error('nothing can be handed over here')
  return handover
}

export function useHandOver() {
  const handover = useHandover()
  return (given: Handover) => {
    handover.current = given
  }
}

/** What the page before has given; once. */
export function useHandedOver(what: keyof Handover): string | undefined {
  const handover = useHandover()
  const [given] = useState(() => handover.current[what])
  useEffect(() => {
    handover.current = {}
  }, [handover])
  return given
}
