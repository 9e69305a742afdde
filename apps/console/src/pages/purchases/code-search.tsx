import { minCodePart } from '@saleproof/schema/console/constants'
import type { FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Search } from '../../ui/icons.ts'
import styles from './purchases.module.css'
import { usePurchaseTexts } from './texts.ts'

interface CodeSearchProps {
  text: string
  onTextChange: (text: string) => void
  onSubmit: () => void
}

/** The code is sent in a request body and never put into a URL. */
export function CodeSearch({ text, onTextChange, onSubmit }: CodeSearchProps) {
  const texts = usePurchaseTexts()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form className={styles.search} onSubmit={submit}>
      <TextField
        hideLabel
        code
        type="search"
        icon={Search}
        label={texts.searchLabel}
        hint={texts.searchHint(minCodePart)}
        placeholder={texts.searchPlaceholder}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={text}
        onValueChange={onTextChange}
      />
      <Button type="submit">{texts.search}</Button>
    </form>
  )
}
