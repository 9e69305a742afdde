import { type ReactNode, useId } from 'react'
import styles from './segments.module.css'

interface SegmentsProps<Value extends string> {
  /** What is chosen here; heard, not seen. */
  label: string
  value: Value
  choices: readonly (readonly [value: Value, text: ReactNode])[]
  onChange: (value: Value) => void
}

/** One of few: radio buttons, as the keyboard knows them. */
export function Segments<Value extends string>({ label, value, choices, onChange }: SegmentsProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.segments}>
      <legend className="visually-hidden">{label}</legend>
      {choices.map(([choice, text]) => (
        <label key={choice} className={styles.segment}>
          <input type="radio" name={name} checked={choice === value} onChange={() => onChange(choice)} />
          {text}
        </label>
      ))}
    </fieldset>
  )
}
