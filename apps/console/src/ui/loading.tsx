import { useLanguage } from '../language/language.tsx'
import styles from './loading.module.css'
import { Logo } from './logo.tsx'

export function Splash() {
  const { t } = useLanguage()
  return (
    <main className={styles.splash} aria-busy="true">
      <Logo size={48} />
      <span className="visually-hidden" role="status">
        {t.states.loading}
      </span>
    </main>
  )
}

/** The place of something that is on its way, in its size. */
export const Block = ({ height, width }: { height: string; width?: string }) => (
  <span className={styles.block} style={{ blockSize: height, inlineSize: width ?? '100%' }} aria-hidden />
)

export function LoadingPage() {
  const { t } = useLanguage()
  return (
    <div className={styles.page}>
      <span className="visually-hidden" role="status">
        {t.states.loading}
      </span>
      <Block height="2rem" width="min(14rem, 60%)" />
      <Block height="7rem" />
      <Block height="18rem" />
    </div>
  )
}
