import { type ReactNode, useId } from 'react'
import { toOptions } from './options.ts'
import styles from './radio-group.module.css'

interface RadioGroupProps<Value extends string> {
  legend: ReactNode
  value: Value
  labels: Readonly<Record<Value, string>>
  descriptions: Readonly<Record<Value, string>>
  onValueChange: (value: Value) => void
}

/** Options that each need a description. */
export function RadioGroup<Value extends string>({
  legend,
  value,
  labels,
  descriptions,
  onValueChange,
}: RadioGroupProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.group}>
      <legend>{legend}</legend>
      {toOptions(labels).map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onValueChange(option.value)}
          />
          <strong>{option.label}</strong>
          <span>{descriptions[option.value]}</span>
        </label>
      ))}
    </fieldset>
  )
}
