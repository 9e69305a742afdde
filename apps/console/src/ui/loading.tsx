import { useLanguage } from '../i18n/language.tsx'
import styles from './loading.module.css'
import { Logo } from './logo.tsx'

export function SplashScreen() {
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
export const Skeleton = ({ height, width }: { height: string; width?: string }) => (
  <span className={styles.skeleton} style={{ blockSize: height, inlineSize: width ?? '100%' }} aria-hidden />
)

export function PageSkeleton() {
  const { t } = useLanguage()
  return (
    <div className={styles.page}>
      <span className="visually-hidden" role="status">
        {t.states.loading}
      </span>
      <Skeleton height="2rem" width="min(14rem, 60%)" />
      <Skeleton height="7rem" />
      <Skeleton height="18rem" />
    </div>
  )
}
