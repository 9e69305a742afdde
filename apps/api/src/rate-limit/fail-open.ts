interface FailOpenOptions {
  /** While there are no answers, how often one is asked for to see whether there are again. */
  retryMs: number
  /** Called once when answers stop to come, with the reason. */
  onOutage: (error: unknown) => void
  /** Called once when they come again. */
  onRecovery: () => void
}

/**
 * Asks somebody else, and does without the answer where the question fails: undefined then. Only the first who asks waits in vain. Until there are
 * answers again nobody waits, and a question now and then, whose answer nobody waits for, finds out.
 */
export function createFailOpen({ retryMs, onOutage, onRecovery }: FailOpenOptions) {
  let isOut = false
  let nextTry = 0

  async function ask<T>(question: () => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await question()
      if (isOut) onRecovery()
      isOut = false
      return answer
    } catch (error) {
      if (!isOut) onOutage(error)
      isOut = true
      nextTry = performance.now() + retryMs
      return undefined
    }
  }

  return function attempt<T>(question: () => Promise<T>): Promise<T | undefined> | undefined {
    if (!isOut) return ask(question)
    if (performance.now() >= nextTry) {
      nextTry = performance.now() + retryMs
      void ask(question)
    }
    return undefined
  }
}
