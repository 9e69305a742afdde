import { type ComponentType, useEffect, useState } from 'react'

const nothing = () => null

/**
 * A part of the pages that is a file of its own, loaded before or when it is first shown. In place of `lazy`: React holds back for 300 ms
 * what has shown a fallback, however soon it is there.
 */
export function lazyWithPreload<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Coming: ComponentType = nothing,
) {
  let found: ComponentType<Props> | undefined
  const find = async () => {
    found ??= (await load()).default
    return found
  }

  function Part(props: Props) {
    const [Found, show] = useState(() => found)
    useEffect(() => {
      if (Found) return
      let isGone = false
      const next = (given: () => ComponentType<Props>) => {
        if (!isGone) show(given)
      }
      find().then(
        (component) => next(() => component),
        (error: unknown) =>
          // Where whatever breaks as it is shown breaks too.
          next(() => {
            throw error
          }),
      )
      return () => {
        isGone = true
      }
    }, [Found])
    return Found ? <Found {...props} /> : <Coming />
  }

  return Object.assign(Part, { find })
}
