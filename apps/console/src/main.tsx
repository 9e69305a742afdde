import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { ApiProvider } from './api/context.ts'
import { isRetryable } from './api/errors.ts'
import { expireSession, sessionQuery, storeDraftsOnReload } from './api/session.ts'
import { keptKey } from './api/stored-drafts.ts'
import { App } from './app/app.tsx'
import { preferences } from './app/local-storage.ts'
import { preloadPage } from './app/routes.ts'
import './design/base.css'
import { LanguageProvider } from './i18n/language.tsx'
import { loadTranslation, preferredLanguage } from './i18n/languages.ts'
// What it asked for first is not asked for again.
import { address, answered, api, forgetEarly, styled, whenSignedOut } from './start.ts'

const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 15_000, retry: (failures, error) => failures < 2 && isRetryable(error) },
    // Offline changes fail at once: a paused one would run later, when the user no longer expects it.
    // What is sent and received may hold passwords and keys: it is not cached.
    mutations: { retry: false, networkMode: 'always', gcTime: 0 },
  },
})
// The default is five minutes after the page that kept it.
queryClient.setQueryDefaults([keptKey], { gcTime: Number.POSITIVE_INFINITY })
storeDraftsOnReload(queryClient)
const base = new URL(document.baseURI)
whenSignedOut(() => expireSession(queryClient))
const routerBase = base.pathname.replace(/\/$/, '')
const language = preferredLanguage(preferences.get('language'), navigator.languages)

const root = document.getElementById('console')
if (!root) throw new Error('#console is missing')

// From here on it hears of a lost connection: the first page, which would mount it, comes later.
queryClient.mount()
preloadPage(address)
void queryClient.prefetchQuery(sessionQuery(api))
// The page shows its skeleton until then. No top-level await: the messages import a module of this chunk, which would then wait for itself.
void Promise.all([loadTranslation(language), answered, styled]).then(([translation]) => {
  createRoot(root).render(
    <StrictMode>
      <LanguageProvider initial={{ language, translation }}>
        <ApiProvider value={api}>
          <QueryClientProvider client={queryClient}>
            <Router base={routerBase}>
              <App />
            </Router>
          </QueryClientProvider>
        </ApiProvider>
      </LanguageProvider>
    </StrictMode>,
  )
  setTimeout(forgetEarly, 5000)
})
