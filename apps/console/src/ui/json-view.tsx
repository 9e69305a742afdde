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
  /** Where it is given, what it has not is marked. */
  other?: unknown
}

export function JsonView({ label, value, other }: JsonViewProps) {
  const { t } = useLanguage()
  return (
    <CodeBlock label={label} text={JSON.stringify(value, null, 2)} copyLabel={t.items.shapes.copy}>
      {jsonLines(value, other).map(({ pieces, depth, only }, index) => (
        <span
          key={index}
          className={classes(styles.line, only && styles.only)}
          style={{ '--depth': depth } as CSSProperties}
        >
          {pieces.map(({ text, is }, at) => (
            <span key={at} className={is && styles[is]}>
              {text}
            </span>
          ))}
        </span>
      ))}
    </CodeBlock>
  )
}

/** Both shapes of the same thing, beside each other where there is room. */
export function ShapeComparison({ base, extended }: { base: unknown; extended: unknown }) {
  const { t } = useLanguage()
  const { service } = useSignedIn()
  const workspace = useWorkspace()
  const usual = workspace.shape ?? service.shape
  const sides = [
    ['base', base, extended],
    ['extended', extended, base],
  ] as const
  return (
    <div className={styles.pair}>
      {sides.map(([shape, value, other]) => (
        <div key={shape} className={styles.side}>
          <h3>
            {t.items.shapes[shape]}
            {shape === usual && <Badge tone="plain">{t.items.shapes.isDefault}</Badge>}
          </h3>
          <JsonView label={t.items.shapes[shape]} value={value} other={other} />
        </div>
      ))}
    </div>
  )
}
