import { type ComponentType, useEffect, useState } from 'react'

const showNothing = () => null

/**
 * A component in a chunk of its own, loaded by `preload` or when it is first shown. Not React's `lazy`: once a fallback was shown,
 * React keeps it for 300 ms.
 */
export function lazyWithPreload<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Fallback: ComponentType = showNothing,
) {
  let loaded: ComponentType<Props> | undefined
  // A style sheet that failed to load counts as loaded: only a new page loads it.
  let offlineError: unknown
  const preload = async () => {
    if (offlineError) throw offlineError
    try {
      loaded ??= (await load()).default
      return loaded
    } catch (error) {
      if (!navigator.onLine) offlineError = error
      throw error
    }
  }

  function Lazy(props: Props) {
    const [Loaded, setLoaded] = useState(() => loaded)
    useEffect(() => {
      if (Loaded) return
      const unmount = new AbortController()
      const reload = () => location.reload()
      const update = (next: () => ComponentType<Props>) => {
        if (unmount.signal.aborted) return
        if (!offlineError) setLoaded(next)
        else if (navigator.onLine) reload()
        else addEventListener('online', reload, { signal: unmount.signal })
      }
      preload().then(
        (component) => update(() => component),
        (error: unknown) =>
          // Thrown during rendering, so that the error boundary catches it.
          update(() => {
            throw error
          }),
      )
      return () => unmount.abort()
    }, [Loaded])
    return Loaded ? <Loaded {...props} /> : <Fallback />
  }

  return Object.assign(Lazy, { preload })
}
