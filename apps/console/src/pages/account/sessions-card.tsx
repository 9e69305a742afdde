import type { SignedInBrowser } from '@saleproof/schema/console'
import { useState } from 'react'
import { useAccountQuery } from '../../api/queries.ts'
import { useLanguage } from '../../i18n/language.tsx'
import type { Messages } from '../../messages/en/index.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazyWithPreload } from '../../ui/lazy-with-preload.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { ExactTime } from '../../ui/time.tsx'
import styles from './account.module.css'

const EndSessionDialog = lazyWithPreload(() => import('./end-session-dialog.tsx'))

function browserName({ browser, platform }: SignedInBrowser, { settings: { sessions } }: Messages): string {
  const name = browser ?? sessions.unknown
  return platform ? sessions.on(name, platform) : name
}

function SessionRow({ session, onEnd }: { session: SignedInBrowser; onEnd: () => void }) {
  const { t, format } = useLanguage()
  const texts = t.settings.sessions
  const name = browserName(session, t)
  const signedIn = format.dateTime(session.signed_in_at)
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <small>
          {texts.signedIn(signedIn)} · {texts.lastUsed} <ExactTime at={session.last_used_at} />
        </small>
      </div>
      {session.current ? (
        <Badge tone="success">{texts.current}</Badge>
      ) : (
        <Button small aria-label={texts.endNamed(name, signedIn)} onClick={onEnd}>
          {texts.end}
        </Button>
      )}
    </li>
  )
}

/** `other` is one session, `others` are all but the own. */
export type Ending = { other: SignedInBrowser; name: string } | 'others'

export function SessionsCard() {
  const { t } = useLanguage()
  const { data, error, refetch } = useAccountQuery('listSessions', {})
  const [ending, setEnding] = useState<Ending>()
  const [done, setDone] = useState<string>()
  const texts = t.settings.sessions
  const begin = (next: Ending) => {
    setDone(undefined)
    setEnding(next)
  }
  const others = data?.sessions.filter(({ current }) => !current) ?? []
  return (
    <Card title={texts.title} description={texts.text}>
      <div className="stack">
        {done && <Notice tone="success">{done}</Notice>}
        {error && !data && <ErrorState error={error} onRetry={refetch} />}
        {!data && !error && <Skeleton height="6rem" />}
        {data && (
          <ul className={styles.sessions}>
            {data.sessions.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                onEnd={() => begin({ other: session, name: browserName(session, t) })}
              />
            ))}
          </ul>
        )}
        {others.length > 1 && (
          <Button className={styles.endOthers} onClick={() => begin('others')}>
            {texts.endOthers}
          </Button>
        )}
      </div>
      {ending && (
        <EndSessionDialog
          ending={ending}
          onClose={() => setEnding(undefined)}
          onEnded={() => {
            setDone(ending === 'others' ? texts.doneOthers : texts.done)
            setEnding(undefined)
          }}
        />
      )}
    </Card>
  )
}
