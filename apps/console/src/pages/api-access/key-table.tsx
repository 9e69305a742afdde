import type { ConsoleKey } from '@saleproof/schema/console'
import { useLanguage } from '../../i18n/language.tsx'
import { Table, tableStyles } from '../../ui/table.tsx'
import { KeyRow } from './key-row.tsx'

interface KeyTableProps {
  keys: readonly ConsoleKey[]
  onShow?: (key: ConsoleKey) => void
  onRevoke?: (key: ConsoleKey) => void
}

const nothing = () => {}

export function KeyTable({ keys, onShow, onRevoke }: KeyTableProps) {
  const { t } = useLanguage()
  const { name, state, lastUsed, created, expires, actions } = t.keys.columns
  const columns = [name, state, lastUsed, created, expires, ...(onShow ? [actions] : [])]
  return (
    <div className={tableStyles.box}>
      <Table cards caption={t.keys.caption} columns={columns.map((each) => ({ name: each }))}>
        {keys.map((key) => (
          <KeyRow key={key.id} row={key} onShow={onShow ?? nothing} onRevoke={onRevoke ?? nothing} />
        ))}
      </Table>
    </div>
  )
}
