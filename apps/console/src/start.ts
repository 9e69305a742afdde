import { preferences } from './app/local-storage.ts'
import { findPage, pageModules } from './app/page-modules.ts'
import { loadTranslation, preferredLanguage } from './i18n/languages.ts'

// A small script of its own: what the page needs loads beside the program, which takes seconds on a slow line, in place of after it.
const base = new URL(document.baseURI)
const session = {
  rel: 'preload',
  as: 'fetch',
  crossOrigin: 'anonymous',
  href: new URL('api/session', base).href,
}
document.head.append(Object.assign(document.createElement('link'), session))
const path = findPage(location.pathname.slice(base.pathname.replace(/\/$/, '').length))
const ignore = () => {}
if (path) pageModules[path]().catch(ignore)
loadTranslation(preferredLanguage(preferences.get('language'), navigator.languages)).catch(ignore)
