import { useLanguage } from '../../i18n/language.tsx'
import { Logo } from '../../ui/logo.tsx'
import { Receipt, Stamp } from '../../ui/receipt.tsx'
import styles from './sign-in.module.css'

/** What it is all about, for the eye alone. */
export function SampleReceipt() {
  const { t, format } = useLanguage()
  const { title, lines, stamp, caption } = t.signIn.receipt
  const values = ['9F2C-11AA-77E0', 'Extended', format.date('2027-04-27T12:00:00Z'), format.money(99, 'USD')]
  return (
    <div className={styles.stage} aria-hidden>
      <div className={styles.paper}>
        <Receipt className={styles.slip}>
          <header>
            <Logo size={36} />
            {title}
          </header>
          <dl>
            {lines.map((line, index) => (
              <div key={line}>
                <dt>{line}</dt>
                <dd>{values[index]}</dd>
              </div>
            ))}
          </dl>
          <div className={styles.stampLine}>
            <Stamp tone="good">{stamp}</Stamp>
          </div>
        </Receipt>
      </div>
      <p>{caption}</p>
    </div>
  )
}
