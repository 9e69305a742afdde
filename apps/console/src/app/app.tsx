import { Redirect, Route, Switch } from 'wouter'
import { useSession, useSignedIn } from '../api/session.ts'
import { Layout, OfflineNotice } from '../layout/layout.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SplashScreen } from '../ui/loading.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { paths, pathTo } from './pages.ts'
import { pages, SignInPage } from './routes.ts'
import { useCurrentWorkspace, WorkspaceProvider } from './workspace.ts'

/** Routes to the pages of workspaces, or to those of the account. */
const toRoutes = (ofWorkspaces: boolean) =>
  Object.entries(pages).flatMap(([path, page]) =>
    path.startsWith('/w/') === ofWorkspaces ? <Route key={path} path={path} component={page} /> : [],
  )

function Home() {
  const workspace = useCurrentWorkspace()
  const to = workspace ? pathTo(paths.overview, { workspace: workspace.slug }) : paths.newWorkspace
  return <Redirect to={to} replace />
}

/** Another owner's workspace looks like one that does not exist. */
function WorkspacePages({ params }: { params: { workspace: string } }) {
  const { workspaces } = useSignedIn()
  const workspace = workspaces.find(({ slug }) => slug === params.workspace)
  if (!workspace) return <NotFoundPage />
  return (
    // The key resets the state of the pages when the workspace is switched.
    <WorkspaceProvider key={workspace.slug} value={workspace}>
      <Switch>
        {toRoutes(true)}
        <Route component={NotFoundPage} />
      </Switch>
    </WorkspaceProvider>
  )
}

const Pages = () => (
  <Switch>
    <Route path={paths.home} component={Home} />
    {toRoutes(false)}
    <Route path="/w/:workspace/*?" component={WorkspacePages} />
    <Route component={NotFoundPage} />
  </Switch>
)

function SignedInApp() {
  const session = useSession()
  if (session.isPending)
    return (
      <>
        <OfflineNotice />
        <SplashScreen />
      </>
    )
  if (session.data === undefined)
    return <ErrorState scope="app" error={session.error} onRetry={session.refetch} />
  // Shown in place of the page, not at its own path: signing in again returns to where the user was.
  if (session.data === null) return <SignInPage />
  return (
    <Layout>
      <ErrorBoundary>
        <Pages />
      </ErrorBoundary>
    </Layout>
  )
}

const ResetPage = pages[paths.reset]

export const App = () => (
  <Switch>
    <Route path={paths.reset}>
      <ErrorBoundary>
        <ResetPage />
      </ErrorBoundary>
    </Route>
    <Route component={SignedInApp} />
  </Switch>
)
