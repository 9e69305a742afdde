import { type ReactNode, useId } from 'react'
import styles from './radio-group.module.css'

interface RadioGroupProps<Value extends string> {
  legend: ReactNode
  value: Value
  options: readonly { value: Value; label: ReactNode; description: ReactNode }[]
  onValueChange: (value: Value) => void
}

/** Options that each need a description. */
export function RadioGroup<Value extends string>({
  legend,
  value,
  options,
  onValueChange,
}: RadioGroupProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.group}>
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onValueChange(option.value)}
          />
          <strong>{option.label}</strong>
          <span>{option.description}</span>
        </label>
      ))}
    </fieldset>
  )
}
