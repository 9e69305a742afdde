import type { ReactNode } from 'react'
import { RichText } from './rich-text.tsx'

interface Entry {
  key: string
  name: ReactNode
  /** Such as the type of a parameter. */
  note?: string
  text: string | undefined
}

/** Names with their explanations. */
export const Entries = ({ entries }: { entries: readonly Entry[] }) => (
  <ul className="docs-entries">
    {entries.map(({ key, name, note, text }) => (
      <li key={key}>
        <p className="docs-entry-name row">
          {name}
          {note && <small>{note}</small>}
        </p>
        {text && (
          <p>
            <RichText text={text} />
          </p>
        )}
      </li>
    ))}
  </ul>
)
