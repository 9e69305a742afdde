import { type ReactNode, useEffect, useState } from 'react'
import { useLanguage } from '../i18n/language.tsx'
import { Button } from './button.tsx'
import { copyText } from './copy.ts'
import { Check, Copy } from './icons.ts'

interface CopyButtonProps {
  text: string
  /** What is copied, for those who hear the page; seen too without `icon`. */
  label: string
  icon?: boolean
  small?: boolean
  variant?: 'plain' | 'primary' | 'quiet'
}

export function CopyButton({ text, label, icon, small, variant }: CopyButtonProps) {
  const { t } = useLanguage()
  const [result, setResult] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (!result) return
    const timer = setTimeout(() => setResult(undefined), result === 'copied' ? 2500 : 8000)
    return () => clearTimeout(timer)
  }, [result])
  const said: ReactNode =
    result === 'copied' ? t.actions.copied : result === 'failed' ? t.actions.copyFailed : ''
  const Icon = result === 'copied' ? Check : Copy
  return (
    <>
      <Button
        {...(variant && { variant })}
        {...(small && { small })}
        {...(icon && { icon, 'aria-label': label })}
        onClick={async () => setResult((await copyText(text)) ? 'copied' : 'failed')}
      >
        <Icon size={18} aria-hidden />
        {!icon && (result === 'copied' ? t.actions.copied : label)}
      </Button>
      <span role="status" className={result === 'failed' ? undefined : 'visually-hidden'}>
        {said}
      </span>
    </>
  )
}
