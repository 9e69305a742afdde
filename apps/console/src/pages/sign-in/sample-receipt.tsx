import { useLanguage } from '../../i18n/language.tsx'
import { Logo } from '../../ui/logo.tsx'
import { Receipt, Stamp } from '../../ui/receipt.tsx'
import styles from './sign-in.module.css'

/** Decoration. */
export function SampleReceipt() {
  const { t, format } = useLanguage()
  const { title, stamp, caption } = t.signIn.receipt
  const { fields, licenses } = t.purchases
  const entries = [
    { label: fields.purchase_code, value: '9F2C-11AA-77E0' },
    { label: fields.license_type, value: licenses.Extended },
    { label: fields.supported_until, value: format.date('2027-04-27T12:00:00Z') },
    { label: fields.price, value: format.money(99, 'USD') },
  ]
  return (
    <div className={styles.stage} aria-hidden>
      <div className={styles.paper}>
        <Receipt className={styles.receipt}>
          <header>
            <Logo size={36} />
            {title}
          </header>
          <dl>
            {entries.map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <div className={styles.stampLine}>
            <Stamp tone="success">{stamp}</Stamp>
          </div>
        </Receipt>
      </div>
      <p className="secondary">{caption}</p>
    </div>
  )
}
