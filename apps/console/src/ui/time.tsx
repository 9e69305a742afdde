import { useEffect, useReducer } from 'react'
import { useLanguage } from '../i18n/language.tsx'

/** “3 hours ago”, kept up to date; the exact time is in the tooltip. */
export function RelativeTime({ at }: { at: string }) {
  const { format } = useLanguage()
  const [, rerender] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(rerender, 30_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={at} title={format.exact(at)}>
      {format.ago(at)}
    </time>
  )
}

/** A date in the browser's time zone; the exact time is in the tooltip. */
export function ShortDate({ at }: { at: string }) {
  const { format } = useLanguage()
  return (
    <time dateTime={at} title={format.exact(at)}>
      {format.date(at)}
    </time>
  )
}
