import { useEffect, useState } from 'react'
import { useLanguage } from '../i18n/language.tsx'
import { Button } from './button.tsx'
import { Check, Copy } from './icons.ts'

/** Returns whether the text is on the clipboard. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Browsers offer no clipboard API over plain HTTP, which self-hosted services often use.
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const textArea = document.createElement('textarea')
  const focused = document.activeElement
  textArea.value = text
  textArea.readOnly = true
  textArea.style.position = 'fixed'
  textArea.style.opacity = '0'
  // Next to the focused element: an open dialog lets nothing outside it be selected.
  const parent = focused?.parentElement ?? document.body
  parent.append(textArea)
  textArea.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    textArea.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}

interface CopyButtonProps {
  text: string
  label: string
  iconOnly?: boolean
  small?: boolean
  variant?: 'primary' | 'quiet'
}

export function CopyButton({ text, label, iconOnly, small, variant }: CopyButtonProps) {
  const { t } = useLanguage()
  const [result, setResult] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (!result) return
    const timer = setTimeout(() => setResult(undefined), result === 'copied' ? 2500 : 8000)
    return () => clearTimeout(timer)
  }, [result])
  const Icon = result === 'copied' ? Check : Copy
  return (
    <>
      <Button
        variant={variant}
        small={small}
        iconOnly={iconOnly}
        aria-label={iconOnly ? label : undefined}
        onClick={async () => setResult((await copyText(text)) ? 'copied' : 'failed')}
      >
        <Icon size={18} aria-hidden />
        {!iconOnly && (result === 'copied' ? t.actions.copied : label)}
      </Button>
      <span role="status" className={result === 'failed' ? undefined : 'visually-hidden'}>
        {result === 'copied' && t.actions.copied}
        {result === 'failed' && t.actions.copyFailed}
      </span>
    </>
  )
}
