import { type ReactNode, useId } from 'react'
import styles from './radio-group.module.css'

interface RadioGroupProps<Value extends string> {
  legend: ReactNode
  value: Value
  choices: readonly { value: Value; name: ReactNode; text: ReactNode }[]
  onChange: (value: Value) => void
}

/** One of a few that each have to be explained. */
export function RadioGroup<Value extends string>({
  legend,
  value,
  choices,
  onChange,
}: RadioGroupProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.group}>
      <legend>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={styles.option}>
          <input
            type="radio"
            name={name}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <strong>{choice.name}</strong>
          <span>{choice.text}</span>
        </label>
      ))}
    </fieldset>
  )
}
