import {
  type ChangeEvent,
  type ComponentProps,
  type FocusEvent,
  type FormEvent,
  type ReactNode,
  useId,
  useState,
} from 'react'
import { useLanguage } from '../i18n/language.tsx'
import type { Messages } from '../messages/en/index.ts'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import styles from './field.module.css'
import { ChevronDown, CircleAlert, Eye, EyeOff, type LucideIcon } from './icons.ts'
import type { Option } from './options.ts'

interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  /** Shows the label to screen readers only. */
  hideLabel?: boolean | undefined
  className?: string | undefined
}

function Field({
  id,
  label,
  hint,
  error,
  hideLabel,
  className,
  children,
}: FieldProps & { id: string; children: ReactNode }) {
  return (
    <div className={classes(styles.field, className)}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          <CircleAlert size={16} aria-hidden />
          <span>{error}</span>
        </p>
      )}
    </div>
  )
}

type ValidatedControl = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

interface ControlProps {
  id?: string | undefined
  value?: ComponentProps<'input'>['value']
  onValueChange?: (value: string) => void
}

/** An amount of money as people type it. With two separators it is unclear what is meant. */
export const amountPattern = '\\s*\\d+([.,]\\d{1,4})?\\s*'

/** What the browser found wrong, in the language of the console: its own texts are in that of the browser. */
function invalidText(control: ValidatedControl, { errors }: Messages): string | undefined {
  control.setCustomValidity('')
  const { valid, valueMissing, typeMismatch, patternMismatch } = control.validity
  if (valid) return undefined
  if (valueMissing) return errors.fields.required
  if (typeMismatch && control.type === 'url') return errors.fields.link
  return patternMismatch ? errors.amount : errors.field
}

/** Splits the props of a field into those of its frame and those of its control. */
function useField<Props extends FieldProps & ControlProps>(props: Props) {
  const { label, hint, error: given, hideLabel, className, onValueChange, ...rest } = props
  const { t } = useLanguage()
  const [invalid, setInvalid] = useState<{ value: unknown; text: string | undefined }>()
  // The value may have been replaced since, by one that is discarded or derived.
  const error = given ?? (invalid?.value === rest.value ? invalid?.text : undefined)
  const generatedId = useId()
  const id = rest.id ?? generatedId
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return {
    field: { id, label, hint, error, hideLabel, className },
    control: {
      ...rest,
      id,
      onChange: (event: ChangeEvent<ValidatedControl>) => {
        event.target.setCustomValidity('')
        onValueChange?.(event.target.value)
      },
      onBlur({ target, relatedTarget }: FocusEvent<ValidatedControl>) {
        // A text that appears would move a button from under the pointer that presses it.
        if (target.value && relatedTarget?.tagName !== 'BUTTON')
          setInvalid({ value: target.value, text: invalidText(target, t) })
      },
      onInvalid({ currentTarget }: FormEvent<ValidatedControl>) {
        const text = invalidText(currentTarget, t)
        currentTarget.setCustomValidity(text ?? '')
        setInvalid({ value: currentTarget.value, text })
      },
      'aria-describedby': describedBy || undefined,
      'aria-invalid': error ? true : undefined,
    },
  }
}

type InputProps = FieldProps & ControlProps & Omit<ComponentProps<'input'>, 'className' | 'onChange' | 'id'>

interface TextFieldProps extends InputProps {
  icon?: LucideIcon
  /** Uses the monospace font: for codes and keys. */
  code?: boolean
}

export function TextField({ icon: Icon, code, ...props }: TextFieldProps) {
  const { field, control } = useField(props)
  return (
    <Field {...field}>
      <div className={styles.with}>
        {Icon && <Icon size={18} aria-hidden />}
        <input type="text" {...control} className={classes(styles.control, code && styles.code)} />
      </div>
    </Field>
  )
}

export function PasswordField(props: Omit<InputProps, 'type'>) {
  const { t } = useLanguage()
  const { field, control } = useField(props)
  const [visible, setVisible] = useState(false)
  return (
    <Field {...field}>
      <div className={styles.with}>
        <input
          autoCapitalize="none"
          spellCheck={false}
          {...control}
          type={visible ? 'text' : 'password'}
          className={styles.control}
        />
        <Button
          variant="quiet"
          iconOnly
          small
          className={styles.reveal}
          aria-pressed={visible}
          aria-label={t.actions.showPassword}
          onClick={() => setVisible(!visible)}
        >
          {visible ? <EyeOff size={18} aria-hidden /> : <Eye size={18} aria-hidden />}
        </Button>
      </div>
    </Field>
  )
}

interface TextAreaProps
  extends FieldProps,
    ControlProps,
    Omit<ComponentProps<'textarea'>, 'className' | 'onChange' | 'id'> {
  code?: boolean
}

export function TextArea({ code, ...props }: TextAreaProps) {
  const { field, control } = useField(props)
  return (
    <Field {...field}>
      <textarea {...control} className={classes(styles.control, code && styles.code)} />
    </Field>
  )
}

interface SelectFieldProps<Value extends string> extends FieldProps {
  name?: string
  value: Value
  options: readonly Option<Value>[]
  onValueChange: (value: Value) => void
}

/** A native select: nothing custom works as well on a phone. */
export function SelectField<Value extends string>({
  options,
  onValueChange,
  ...props
}: SelectFieldProps<Value>) {
  const { field, control } = useField({
    ...props,
    onValueChange: (text) => {
      const option = options.find(({ value }) => value === text)
      if (option) onValueChange(option.value)
    },
  })
  return (
    <Field {...field}>
      <div className={styles.with}>
        <select {...control} className={styles.control}>
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <ChevronDown size={16} aria-hidden />
      </div>
    </Field>
  )
}
