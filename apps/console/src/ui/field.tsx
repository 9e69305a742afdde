import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { useLanguage } from '../i18n/language.tsx'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import styles from './field.module.css'
import { ChevronDown, CircleAlert, Eye, EyeOff, type LucideIcon } from './icons.ts'

interface Around {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  /** The label is heard, not seen: what is seen around it says the same. */
  quiet?: boolean
  className?: string | undefined
}

interface Described extends Around {
  id: string
  children: ReactNode
}

function Field({ id, label, hint, error, quiet, className, children }: Described) {
  return (
    <div className={classes(styles.field, className)}>
      <label htmlFor={id} className={quiet ? 'visually-hidden' : styles.label}>
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

const describedBy = (id: string, { hint, error }: Around) =>
  [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined

/** The parts of the properties that are about the field, and those that are about the control in it. */
function useAround<P extends Around & { id?: string | undefined }>({
  label,
  hint,
  error,
  quiet,
  className,
  ...rest
}: P) {
  const own = useId()
  const id = rest.id ?? own
  const around: Around = { label, hint, error, ...(quiet && { quiet }), className }
  return {
    field: { ...around, id },
    control: {
      ...rest,
      id,
      'aria-describedby': describedBy(id, around),
      'aria-invalid': error ? true : undefined,
    },
  }
}

interface TextFieldProps extends Around, Omit<ComponentProps<'input'>, 'className'> {
  icon?: LucideIcon
  /** For what is not a word: codes and keys. */
  code?: boolean
}

export function TextField({ icon: Icon, code, ...props }: TextFieldProps) {
  const { field, control } = useAround(props)
  return (
    <Field {...field}>
      <div className={styles.with}>
        {Icon && <Icon size={18} aria-hidden />}
        <input type="text" {...control} className={classes(styles.control, code && styles.code)} />
      </div>
    </Field>
  )
}

export function PasswordField(props: Omit<TextFieldProps, 'type' | 'icon' | 'code'>) {
  const { t } = useLanguage()
  const { field, control } = useAround(props)
  const [shown, show] = useState(false)
  return (
    <Field {...field}>
      <div className={styles.with}>
        <input
          autoCapitalize="none"
          spellCheck={false}
          {...control}
          type={shown ? 'text' : 'password'}
          className={styles.control}
        />
        <Button
          variant="quiet"
          icon
          small
          className={styles.reveal}
          aria-pressed={shown}
          aria-label={t.actions.showPassword}
          onClick={() => show(!shown)}
        >
          {shown ? <EyeOff size={18} aria-hidden /> : <Eye size={18} aria-hidden />}
        </Button>
      </div>
    </Field>
  )
}

interface TextAreaProps extends Around, Omit<ComponentProps<'textarea'>, 'className'> {
  code?: boolean
}

export function TextArea({ code, ...props }: TextAreaProps) {
  const { field, control } = useAround(props)
  return (
    <Field {...field}>
      <textarea {...control} className={classes(styles.control, code && styles.code)} />
    </Field>
  )
}

interface SelectFieldProps extends Around, Omit<ComponentProps<'select'>, 'className'> {}

/** The system's own list: on a phone nothing made here comes near to it. */
export function SelectField({ children, ...props }: SelectFieldProps) {
  const { field, control } = useAround(props)
  return (
    <Field {...field}>
      <div className={styles.selectBox}>
        <select {...control} className={styles.control}>
          {children}
        </select>
        <ChevronDown size={16} aria-hidden />
      </div>
    </Field>
  )
}
