import type { ConsoleItemDetail } from '@saleproof/schema/console'
import type { ItemKind } from '@saleproof/schema/constants'
import { useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import type { Messages } from '../../messages/en/index.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { ExternalLink } from '../../ui/icons.ts'
import { Card } from '../../ui/page.tsx'
import styles from './media.module.css'

interface MediaFile {
  name: string
  kind: ItemKind
  url: string
}

function listFiles({ record: { media } }: ConsoleItemDetail, { items: { fields, media: texts } }: Messages) {
  const files: MediaFile[] = [
    { name: fields['media.thumbnail'], kind: 'image', url: media.thumbnail },
    { name: fields['media.preview_image'], kind: 'image', url: media.preview_image },
    { name: fields['media.preview_video'], kind: 'video', url: media.preview_video ?? '' },
    { name: fields['media.preview_audio'], kind: 'audio', url: media.preview_audio ?? '' },
    ...media.screenshots.map((url, index) => {
      return { name: texts.screenshot(index + 1), kind: 'image' as const, url }
    }),
  ]
  return files.filter(({ url }) => url)
}

const previewUrl = ({ kind, url }: MediaFile) =>
  new URL(`preview?${new URLSearchParams({ kind, url })}`, document.baseURI).href

/**
 * Loading a media file reveals the user's address to its host. So it loads on request only, in a frame whose page may do nothing
 * else.
 */
function MediaPreview({ file }: { file: MediaFile }) {
  const { t } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const { name, kind, url } = file
  const texts = t.items.media
  return (
    <li className={styles.media}>
      {isOpen && (
        <iframe
          className={classes(styles.frame, kind === 'audio' && styles.audio)}
          sandbox=""
          referrerPolicy="no-referrer"
          title={name}
          src={previewUrl(file)}
        />
      )}
      <div className={styles.head}>
        <span>
          <strong>{name}</strong>
          <small>{texts.from(new URL(url).host)}</small>
        </span>
        <Button
          small
          aria-expanded={isOpen}
          aria-label={isOpen ? texts.hide : texts.loadNamed(name)}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? texts.hide : texts.load}
        </Button>
      </div>
      {isOpen && (
        <a className={styles.open} href={url} target="_blank" rel="noreferrer noopener">
          <ExternalLink size={14} aria-hidden />
          {texts.open}
        </a>
      )}
    </li>
  )
}

export function Media({ detail }: { detail: ConsoleItemDetail }) {
  const { t } = useLanguage()
  const files = listFiles(detail, t)
  if (files.length === 0) return null
  return (
    <Card title={t.items.media.title} description={t.items.media.text}>
      <ul className={styles.list}>
        {files.map((file) => (
          <MediaPreview key={`${file.name} ${file.url}`} file={file} />
        ))}
      </ul>
    </Card>
  )
}
