import { useLanguage } from '../i18n/language.tsx'
import styles from './loading.module.css'
import { Logo } from './logo.tsx'

function LoadingText() {
  const { t } = useLanguage()
  return (
    <span className="visually-hidden" role="status">
      {t.states.loading}
    </span>
  )
}

export const SplashScreen = () => (
  <main className={styles.splash} aria-busy="true">
    <Logo size={48} />
    <LoadingText />
  </main>
)

/** A placeholder of the size of the content that is loading. */
export const Skeleton = ({ height, width = '100%' }: { height: string; width?: string }) => (
  <span className={styles.skeleton} style={{ blockSize: height, inlineSize: width }} aria-hidden />
)

export const PageSkeleton = () => (
  <div className={styles.page}>
    <LoadingText />
    <Skeleton height="2rem" width="min(14rem, 60%)" />
    <Skeleton height="7rem" />
    <Skeleton height="18rem" />
  </div>
)
