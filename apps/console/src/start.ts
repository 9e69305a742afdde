import { type Api, createApi, type Values } from './api/client.ts'
import { preferences } from './app/local-storage.ts'
import { findPage, pageModules } from './app/page-modules.ts'
import { paths } from './app/pages.ts'
import { loadTranslation, preferredLanguage, timezone } from './i18n/languages.ts'

// A small script of its own: what the page needs loads beside the program, which takes seconds on a slow line, in place of after it.
const base = new URL(document.baseURI)
export const address = location.pathname.slice(base.pathname.replace(/\/$/, '').length)
const path = findPage(address)
const ignore = () => {}

const sheet = document.querySelector<HTMLLinkElement>('link[as="style"]')
/** Once the styles of the program apply. They delay no first paint, and come before those of its pages. */
export const styled = new Promise<void>((resolve) => {
  if (!sheet) return resolve()
  sheet.onload = () => sheet.sheet && resolve()
  sheet.onerror = () => resolve()
  sheet.rel = 'stylesheet'
})

let onSignedOut = ignore
export const whenSignedOut = (listener: () => void) => {
  onSignedOut = listener
}

const send = createApi({ base: new URL('api', base).href, onSignedOut: () => onSignedOut() })
const early = new Map<string, Promise<unknown>>()
const keyOf = (...call: unknown[]) => JSON.stringify(call)

/** What no page took would be old later, or another owner's. */
export const forgetEarly = () => early.clear()

/** Gives the program the response to what was asked here already, once. */
export const api: Api = (name, values, signal) => {
  const key = keyOf(name, values)
  const asked = early.get(key) as ReturnType<typeof api<typeof name>> | undefined
  early.delete(key)
  if (name === 'signOut') forgetEarly()
  return asked ?? send(name, values, signal)
}

const session = send('getSession', {})
early.set(keyOf('getSession', {}), session)
const ended = session.catch(ignore)
/** Once the session has come, or a first attempt has failed. A password is reset without one. */
export const answered = path === paths.reset ? undefined : ended
if (path) pageModules[path]().catch(ignore)
loadTranslation(preferredLanguage(preferences.get('language'), navigator.languages)).catch(ignore)

function ask<Name extends Parameters<Api>[0]>(name: Name, values: Values<Name>): void {
  const key = keyOf(name, values)
  const asked = session.then(() => send(name, values))
  early.set(key, asked)
  // The next owner who signs in here asks again.
  asked.catch(() => early.delete(key))
}

// The workspace comes last, as in the calls of the pages.
const [, , slug = ''] = address.split('/')
const shown = { period: '7d', timezone: timezone(), slug } as const
const firstRequests: Partial<Record<string, () => void>> = {
  [paths.overview]() {
    ask('getOverview', shown)
    ask('getSales', shown)
  },
  [paths.items]: () => ask('listItems', { slug }),
  [paths.purchases]: () => ask('searchPurchases', { slug }),
  [paths.apiAccess]: () => ask('listKeys', { slug }),
}
if (!location.search) firstRequests[path ?? '']?.()
