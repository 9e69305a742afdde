import { useState } from 'react'
import { useWorkspaceMutation } from '../../api/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-state.tsx'
import { CheckForm } from './check-form.tsx'
import { Result } from './result.tsx'
import { useCheckTexts } from './texts.ts'

/** Checks codes without leaving the page. */
export default function CheckDialog({ onClose }: { onClose: () => void }) {
  const texts = useCheckTexts()
  const check = useWorkspaceMutation('check')
  const [code, setCode] = useState('')
  const [keyId, setKeyId] = useState('')
  const submit = () => {
    if (!check.isPending) check.mutate({ purchase_code: code, ...(keyId && { key_id: keyId }) })
  }
  return (
    <Dialog dismissible={false} onClose={onClose} title={texts.title}>
      <CheckForm
        code={code}
        keyId={keyId}
        busy={check.isPending}
        error={check.error}
        onCodeChange={setCode}
        onKeyChange={setKeyId}
        onSubmit={submit}
      />
      <ErrorNotice error={check.error} />
      <div role="status">{check.data && <Result key={check.submittedAt} check={check.data} />}</div>
    </Dialog>
  )
}
