import { type ReactNode, useId, useState } from 'react'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import styles from './filter-panel.module.css'
import { SlidersHorizontal } from './icons.ts'

interface FilterPanelProps {
  label: string
  /** How many filters are set. */
  active: number
  className?: string | undefined
  children: ReactNode
}

/** The filters of a list. A phone shows them on demand: they would fill its screen. */
export function FilterPanel({ label, active, className, children }: FilterPanelProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <search aria-label={label}>
      <Button
        className={styles.toggle}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <SlidersHorizontal size={16} aria-hidden />
        {active > 0 ? `${label} (${active})` : label}
      </Button>
      <div id={id} className={classes(styles.content, className)} data-open={isOpen || undefined}>
        {children}
      </div>
    </search>
  )
}
