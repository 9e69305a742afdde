import { Redirect, Route, Switch } from 'wouter'
import { useSession, useSignedIn } from '../api/session.ts'
import { Layout } from '../layout/layout.tsx'
import { SignInPage } from '../pages/sign-in/sign-in-page.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SplashScreen } from '../ui/loading.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { preferences } from './local-storage.ts'
import { NavigationStateProvider } from './navigation-state.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { paths, pathTo } from './pages.ts'
import { routes } from './routes.ts'
import { WorkspaceProvider } from './workspace.ts'

/** Where somebody begins: the workspace that was open last, else the first, else one that is still to be made. */
function Home() {
  const { workspaces } = useSignedIn()
  const last = preferences.get('workspace')
  const workspace = workspaces.find(({ slug }) => slug === last) ?? workspaces[0]
  return workspace ? (
    <Redirect to={pathTo(paths.overview, { workspace: workspace.slug })} replace />
  ) : (
    <Redirect to={paths.newWorkspace} replace />
  )
}

/** A workspace of somebody else is as one that does not exist. */
function WorkspacePages({ params }: { params: { workspace: string } }) {
  const { workspaces } = useSignedIn()
  const workspace = workspaces.find(({ slug }) => slug === params.workspace)
  if (!workspace) return <NotFoundPage />
  return (
    // Nothing that was begun in one workspace goes on in another.
    <WorkspaceProvider key={workspace.slug} value={workspace}>
      <Switch>
        <Route path={paths.overview} component={routes.overview} />
        <Route path={paths.items} component={routes.items} />
        <Route path={paths.item} component={routes.item} />
        <Route path={paths.purchases} component={routes.purchases} />
        <Route path={paths.check} component={routes.check} />
        <Route path={paths.apiAccess} component={routes.apiAccess} />
        <Route path={paths.settings} component={routes.settings} />
        <Route path={paths.more} component={routes.more} />
        <Route component={NotFoundPage} />
      </Switch>
    </WorkspaceProvider>
  )
}

const Pages = () => (
  <Switch>
    <Route path={paths.home} component={Home} />
    <Route path={paths.account} component={routes.account} />
    <Route path={paths.newWorkspace} component={routes.newWorkspace} />
    <Route path="/w/:workspace/*?" component={WorkspacePages} />
    <Route component={NotFoundPage} />
  </Switch>
)

export function App() {
  const session = useSession()
  if (session.isPending) return <SplashScreen />
  if (session.data === undefined) return <ErrorState whole error={session.error} onRetry={session.refetch} />
  // In place of the page, not at an address of its own: whoever signs in again is where they were.
  if (session.data === null) return <SignInPage />
  return (
    <Layout>
      <ErrorBoundary>
        <NavigationStateProvider>
          <Pages />
        </NavigationStateProvider>
      </ErrorBoundary>
    </Layout>
  )
}
