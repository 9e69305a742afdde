import type { CSSProperties } from 'react'
import { useSignedIn } from '../api/session.ts'
import { useWorkspace } from '../app/workspace.ts'
import { useLanguage } from '../i18n/language.tsx'
import { Badge } from './badge.tsx'
import { classes } from './classes.ts'
import { CodeBlock } from './code-block.tsx'
import { jsonLines } from './json-lines.ts'
import styles from './json-view.module.css'

interface JsonViewProps {
  label: string
  value: unknown
  /** Properties that this value lacks are highlighted. */
  other?: unknown
}

export function JsonView({ label, value, other }: JsonViewProps) {
  const { t } = useLanguage()
  return (
    <CodeBlock label={label} text={JSON.stringify(value, null, 2)} copyLabel={t.items.shapes.copy}>
      {jsonLines(value, other).map(({ tokens, depth, highlighted }, lineIndex) => (
        <span
          key={lineIndex}
          className={classes(styles.line, highlighted && styles.highlighted)}
          // React's type has no custom properties.
          style={{ '--depth': depth } as CSSProperties}
        >
          {tokens.map(({ text, kind }, index) => (
            <span key={index} className={kind && styles[kind]}>
              {text}
            </span>
          ))}
        </span>
      ))}
    </CodeBlock>
  )
}

/** Both shapes of a record, side by side where there is room. */
export function ShapeComparison({ base, extended }: { base: unknown; extended: unknown }) {
  const { t } = useLanguage()
  const { service } = useSignedIn()
  const workspace = useWorkspace()
  const defaultShape = workspace.shape ?? service.shape
  const columns = [
    { shape: 'base', value: base, other: extended },
    { shape: 'extended', value: extended, other: base },
  ] as const
  return (
    <div className={styles.columns}>
      {columns.map(({ shape, value, other }) => (
        <div key={shape}>
          <h3>
            {t.items.shapes[shape]}
            {shape === defaultShape && <Badge>{t.items.shapes.isDefault}</Badge>}
          </h3>
          <JsonView label={t.items.shapes[shape]} value={value} other={other} />
        </div>
      ))}
    </div>
  )
}
