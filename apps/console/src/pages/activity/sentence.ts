import type { ActivityEntry, ConsoleActor } from '@saleproof/schema/console'
import { keyLabel } from '../../app/key-label.ts'
import type { Format } from '../../i18n/format.ts'
import type { ActivityMessages } from '../../messages/en/activity.ts'

function whoIn({ kind, username }: ConsoleActor, texts: ActivityMessages): string {
  if (kind === 'account') return username ?? texts.removedAccount
  return kind === 'cli' ? texts.commandLine : texts.adminProgram
}

function describeRecords({ imported }: ActivityEntry, texts: ActivityMessages, { tag }: Format): string {
  if (!imported) return ''
  const { items, purchases } = imported
  const parts = [...(items ? [texts.items(items)] : []), ...(purchases ? [texts.purchases(purchases)] : [])]
  return new Intl.ListFormat(tag).format(parts)
}

const itemName = ({ id, name }: { id: number; name: string | null }) =>
  name ? `${name} (${id})` : String(id)

/** An entry of the activity log as a sentence. */
export function describeEntry(entry: ActivityEntry, texts: ActivityMessages, format: Format): string {
  const { action, by, key, item, purchase } = entry
  return texts.sentences[action]({
    who: whoIn(by, texts),
    by: by.kind,
    key: key ? texts.key(keyLabel(key)) : texts.someKey,
    item: item ? texts.item(itemName(item)) : texts.someItem,
    purchase: purchase ? texts.purchase(purchase.purchase_code) : texts.somePurchase,
    state: purchase?.state,
    records: describeRecords(entry, texts, format),
    file: entry.file ? texts.fromFile(entry.file.name, entry.file.profile) : '',
  })
}
