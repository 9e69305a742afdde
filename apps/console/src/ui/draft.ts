import { useState } from 'react'

/** A draft of something, which is saved later. What was said of an attempt to save it does not hold for what is changed after it. */
export function useDraft<Draft extends object>(initial: Draft, reset: () => void) {
  const [draft, setDraft] = useState(initial)
  /** Changes it as a consequence of having been saved. */
  const settle = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const change = (part: Partial<Draft>) => {
    reset()
    settle(part)
  }
  return { draft, change, settle }
}
