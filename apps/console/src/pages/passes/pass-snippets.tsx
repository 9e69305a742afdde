import { useState } from 'react'
import { useWorkspaceQuery } from '../../api/queries.ts'
import { useSignedIn } from '../../api/session.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import styles from '../api-access/api-access.module.css'

interface SnippetValues {
  url: string
  apiKey: string
  workspace: string
  publicKeys: readonly string[]
}

const listed = (keys: readonly string[]) => `[${keys.map((key) => `'${key}'`).join(', ')}]`

const snippets = {
  JavaScript: ({ url, apiKey, workspace, publicKeys }: SnippetValues) => `// npm install @saleproof/sdk
import { verifyPasses } from '@saleproof/sdk/passes'
import { createPublishableClient } from '@saleproof/sdk/publishable'

const client = createPublishableClient({
  baseUrl: '${url}',
  apiKey: '${apiKey}',
  passes: verifyPasses({ workspace: '${workspace}', publicKeys: ${listed(publicKeys)} }),
})
`,
  PHP: ({ url, apiKey, workspace, publicKeys }: SnippetValues) => `<?php
// ${url}/docs/saleproof.php
require_once __DIR__ . '/saleproof.php';

$saleproof = new \\Saleproof\\Client([
    'base_url' => '${url}',
    'api_key' => '${apiKey}',
    'passes' => ['workspace' => '${workspace}', 'public_keys' => ${listed(publicKeys)}],
]);
`,
}

/** Clients that accept a code only with a pass. */
export function PassSnippets({ apiKey = 'spp_YOUR_PUBLISHABLE_KEY' }: { apiKey?: string }) {
  const { t } = useLanguage()
  const { data } = useWorkspaceQuery('listSigningKeys', {})
  const { service } = useSignedIn()
  const { slug } = useWorkspace()
  const [selected, setSelected] = useState<keyof typeof snippets>('JavaScript')
  if (!data) return null
  const publicKeys = data.signing_keys.filter((key) => !key.retired_at).map((key) => key.public_key)
  return (
    <div className={styles.snippets}>
      <SegmentedControl
        label={t.keys.snippets.tabs}
        value={selected}
        options={[
          { value: 'JavaScript', label: 'JavaScript' },
          { value: 'PHP', label: 'PHP' },
        ]}
        onValueChange={setSelected}
      />
      <CodeBlock
        label={selected}
        copyLabel={t.keys.snippets.copy}
        text={snippets[selected]({ url: service.public_url, apiKey, workspace: slug, publicKeys })}
      />
    </div>
  )
}
