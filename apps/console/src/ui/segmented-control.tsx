import { type ReactNode, useId } from 'react'
import styles from './segmented-control.module.css'

interface SegmentedControlProps<Value extends string> {
  /** For screen readers; shown where there is a hint. */
  label: string
  value: Value
  options: readonly { value: Value; label: ReactNode }[]
  /** What the chosen option means. */
  hint?: string
  onValueChange: (value: Value) => void
}

/** Made of radio buttons, so that the arrow keys work. */
export function SegmentedControl<Value extends string>(props: SegmentedControlProps<Value>) {
  const { label, value, options, hint, onValueChange } = props
  const name = useId()
  const control = (
    <fieldset className={styles.control}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.segment}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            aria-describedby={hint && option.value === value ? `${name}-hint` : undefined}
            onChange={() => onValueChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
  if (!hint) return control
  return (
    <div className={styles.explained}>
      <strong aria-hidden>{label}</strong>
      {control}
      <p id={`${name}-hint`} className="muted">
        {hint}
      </p>
    </div>
  )
}
