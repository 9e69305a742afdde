import type { ReactNode } from 'react'
import { useWorkspaceQuery } from '../../api/queries.ts'
import { useSignedIn } from '../../api/session.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Programs } from '../api-access/snippets-card.tsx'

interface SnippetValues {
  url: string
  apiKey: string
  workspace: string
  publicKeys: readonly string[]
}

const listed = (keys: readonly string[]) => `[${keys.map((key) => `'${key}'`).join(', ')}]`

const snippetsFor = ({ url, apiKey, workspace, publicKeys }: SnippetValues) => ({
  JavaScript: `// npm install @saleproof/sdk
import { verifyPasses } from '@saleproof/sdk/passes'
import { createPublishableClient } from '@saleproof/sdk/publishable'

const client = createPublishableClient({
  baseUrl: '${url}',
  apiKey: '${apiKey}',
  passes: verifyPasses({ workspace: '${workspace}', publicKeys: ${listed(publicKeys)} }),
})
`,
  PHP: `<?php
// ${url}/docs/saleproof.php
require_once __DIR__ . '/saleproof.php';

$saleproof = new \\Saleproof\\Client([
    'base_url' => '${url}',
    'api_key' => '${apiKey}',
    'passes' => ['workspace' => '${workspace}', 'public_keys' => ${listed(publicKeys)}],
]);
`,
})

interface PassSnippetsProps {
  apiKey?: string
  /** Shown with the programs, once there are some. */
  children?: ReactNode
}

/** Clients that accept a code only with a pass. */
export function PassSnippets({ apiKey = 'spp_YOUR_PUBLISHABLE_KEY', children }: PassSnippetsProps) {
  const { data, error, refetch } = useWorkspaceQuery('listSigningKeys', {})
  const { service } = useSignedIn()
  const { slug } = useWorkspace()
  if (!data) return error && <ErrorState error={error} onRetry={refetch} />
  const publicKeys = data.signing_keys.filter((key) => !key.retired_at).map((key) => key.public_key)
  const programs = snippetsFor({ url: service.public_url, apiKey, workspace: slug, publicKeys })
  return (
    <>
      {children}
      <Programs programs={programs} />
    </>
  )
}
