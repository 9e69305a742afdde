import type { CSSProperties } from 'react'
import { useSignedIn } from '../api/session.ts'
import { useWorkspace } from '../app/workspace.ts'
import { useLanguage } from '../language/language.tsx'
import { Badge } from './badge.tsx'
import { classes } from './classes.ts'
import { Code } from './code.tsx'
import styles from './json.module.css'
import { jsonLines } from './json-lines.ts'

interface JsonProps {
  label: string
  value: unknown
  /** Where it is given, what it has not is marked. */
  other?: unknown
}

export function Json({ label, value, other }: JsonProps) {
  const { t } = useLanguage()
  return (
    <Code label={label} text={JSON.stringify(value, null, 2)} copyLabel={t.items.shapes.copy}>
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
    </Code>
  )
}

/** Both shapes of the same thing, beside each other where there is room. */
export function BothShapes({ base, extended }: { base: unknown; extended: unknown }) {
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
          <Json label={t.items.shapes[shape]} value={value} other={other} />
        </div>
      ))}
    </div>
  )
}
