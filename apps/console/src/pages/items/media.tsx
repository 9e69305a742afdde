import type { ConsoleItemDetail } from '@saleproof/schema/console'
import { useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import type { Messages } from '../../messages/en.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { ExternalLink } from '../../ui/icons.ts'
import { Card } from '../../ui/page.tsx'
import styles from './media.module.css'

interface Medium {
  name: string
  kind: 'image' | 'video' | 'audio'
  url: string
}

function mediaOf(
  { item, preview_video, preview_audio, screenshots }: ConsoleItemDetail,
  t: Messages,
): Medium[] {
  const { names, screenshot } = t.items.media
  const all = [
    { name: names.thumbnail, kind: 'image', url: item.thumbnail },
    { name: names.preview_image, kind: 'image', url: item.preview_image },
    { name: names.preview_video, kind: 'video', url: preview_video ?? '' },
    { name: names.preview_audio, kind: 'audio', url: preview_audio ?? '' },
    ...screenshots.map((url, index) => ({ name: screenshot(index + 1), kind: 'image' as const, url })),
  ] as const
  return all.filter(({ url }) => url)
}

const previewOf = ({ kind, url }: Medium) =>
  new URL(`preview?${new URLSearchParams({ kind, url })}`, document.baseURI).href

/**
 * A medium lies wherever its seller put it, and whoever looks at it tells that host where they are: so it is asked for, and shown
 * by a page that may do nothing else.
 */
function MediumPreview({ medium }: { medium: Medium }) {
  const { t } = useLanguage()
  const [shown, show] = useState(false)
  const { name, kind, url } = medium
  const { media } = t.items
  return (
    <li className={styles.media}>
      {shown && (
        <iframe
          className={classes(styles.frame, kind === 'audio' && styles.audio)}
          sandbox=""
          referrerPolicy="no-referrer"
          title={name}
          src={previewOf(medium)}
        />
      )}
      <div className={styles.head}>
        <span>
          <strong>{name}</strong>
          <small>{media.from(new URL(url).host)}</small>
        </span>
        <Button
          small
          aria-expanded={shown}
          aria-label={shown ? media.hide : media.loadNamed(name)}
          onClick={() => show(!shown)}
        >
          {shown ? media.hide : media.load}
        </Button>
      </div>
      {shown && (
        <a className={styles.open} href={url} target="_blank" rel="noreferrer noopener">
          <ExternalLink size={14} aria-hidden />
          {media.open}
        </a>
      )}
    </li>
  )
}

export function Media({ detail }: { detail: ConsoleItemDetail }) {
  const { t } = useLanguage()
  const media = mediaOf(detail, t)
  if (media.length === 0) return null
  return (
    <Card title={t.items.media.title}>
      <p className={styles.text}>{t.items.media.text}</p>
      <ul className={styles.list}>
        {media.map((medium) => (
          <MediumPreview key={`${medium.name} ${medium.url}`} medium={medium} />
        ))}
      </ul>
    </Card>
  )
}
