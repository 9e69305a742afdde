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
  const preload = async () => {
    loaded ??= (await load()).default
    return loaded
  }

  function Lazy(props: Props) {
    const [Loaded, setLoaded] = useState(() => loaded)
    useEffect(() => {
      if (Loaded) return
      let isUnmounted = false
      const update = (next: () => ComponentType<Props>) => {
        if (!isUnmounted) setLoaded(next)
      }
      preload().then(
        (component) => update(() => component),
        (error: unknown) =>
          // Thrown during rendering, so that the error boundary catches it.
          update(() => {
            throw error
          }),
      )
      return () => {
        isUnmounted = true
      }
    }, [Loaded])
    return Loaded ? <Loaded {...props} /> : <Fallback />
  }

  return Object.assign(Lazy, { preload })
}
