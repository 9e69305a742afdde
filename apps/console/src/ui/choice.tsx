import { type ReactNode, useId } from 'react'
import styles from './choice.module.css'

interface ChoicesProps<Value extends string> {
  legend: ReactNode
  value: Value
  choices: readonly { value: Value; name: ReactNode; text: ReactNode }[]
  onChange: (value: Value) => void
}

/** One of a few that each have to be explained. */
export function Choices<Value extends string>({ legend, value, choices, onChange }: ChoicesProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={styles.choice}>
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
