import type { FormEvent } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Search } from '../../ui/icons.ts'
import styles from './purchases.module.css'

interface CodeSearchProps {
  text: string
  onText: (text: string) => void
  onFind: () => void
}

/** Looks for a code, pasted anyhow. It is sent in a body and stands in no address. */
export function CodeSearch({ text, onText, onFind }: CodeSearchProps) {
  const { t } = useLanguage()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onFind()
  }
  return (
    <form className={styles.find} onSubmit={submit}>
      <TextField
        quiet
        code
        type="search"
        icon={Search}
        label={t.purchases.findLabel}
        placeholder={t.purchases.findPlaceholder}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
      <Button type="submit">{t.purchases.find}</Button>
    </form>
  )
}
