import { useWorkspaceQuery } from '../../api/queries.ts'
import { useSignedIn } from '../../api/session.ts'
import { useWorkspace } from '../../app/workspace.ts'
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

/** Clients that accept a code only with a pass. */
export function PassSnippets({ apiKey = 'spp_YOUR_PUBLISHABLE_KEY' }: { apiKey?: string }) {
  const { data } = useWorkspaceQuery('listSigningKeys', {})
  const { service } = useSignedIn()
  const { slug } = useWorkspace()
  if (!data) return null
  const publicKeys = data.signing_keys.filter((key) => !key.retired_at).map((key) => key.public_key)
  return <Programs programs={snippetsFor({ url: service.public_url, apiKey, workspace: slug, publicKeys })} />
}
