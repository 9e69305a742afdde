import { type ReactNode, useId } from 'react'
import styles from './segmented-control.module.css'

interface SegmentedControlProps<Value extends string> {
  /** What is chosen here; heard, not seen. */
  label: string
  value: Value
  choices: readonly (readonly [value: Value, text: ReactNode])[]
  onChange: (value: Value) => void
}

/** One of few: radio buttons, as the keyboard knows them. */
export function SegmentedControl<Value extends string>({
  label,
  value,
  choices,
  onChange,
}: SegmentedControlProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.control}>
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
