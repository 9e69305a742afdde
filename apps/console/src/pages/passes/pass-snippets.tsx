import type { ConsoleSigningKey } from '@saleproof/schema/console'
import { useState } from 'react'
import { useSignedIn } from '../../api/session.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Card } from '../../ui/page.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import styles from '../api-access/api-access.module.css'

interface SnippetValues {
  url: string
  workspace: string
  publicKeys: readonly string[]
}

const listed = (keys: readonly string[]) => `[${keys.map((key) => `'${key}'`).join(', ')}]`

const snippets = {
  JavaScript: ({ url, workspace, publicKeys }: SnippetValues) => `// npm install @saleproof/sdk
import { verifyPasses } from '@saleproof/sdk/passes'
import { createPublishableClient } from '@saleproof/sdk/publishable'

const client = createPublishableClient({
  baseUrl: '${url}',
  apiKey: 'spp_YOUR_PUBLISHABLE_KEY',
  passes: verifyPasses({ workspace: '${workspace}', publicKeys: ${listed(publicKeys)} }),
})
`,
  PHP: ({ url, workspace, publicKeys }: SnippetValues) => `<?php
// ${url}/docs/saleproof.php
require_once __DIR__ . '/saleproof.php';

$saleproof = new \\Saleproof\\Client([
    'base_url' => '${url}',
    'api_key' => 'spp_YOUR_PUBLISHABLE_KEY',
    'passes' => ['workspace' => '${workspace}', 'public_keys' => ${listed(publicKeys)}],
]);
`,
}

/** Clients that accept a code only with a pass. */
export function PassSnippets({ keys }: { keys: readonly ConsoleSigningKey[] }) {
  const { t } = useLanguage()
  const { service } = useSignedIn()
  const { slug } = useWorkspace()
  const [selected, setSelected] = useState<keyof typeof snippets>('JavaScript')
  const publicKeys = keys.filter((key) => !key.retired_at).map((key) => key.public_key)
  const texts = t.settings.passes
  return (
    <Card title={texts.snippets} description={texts.snippetsText}>
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
          text={snippets[selected]({ url: service.public_url, workspace: slug, publicKeys })}
        />
      </div>
    </Card>
  )
}
