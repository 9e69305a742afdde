import { serviceUrl } from '../app/service-url.ts'
import { Badge } from '../ui/badge.tsx'

interface ErrorCodeProps {
  status: number
  code: string
}

/** An error with a link to its explanation. */
export const ErrorCode = ({ status, code }: ErrorCodeProps) => (
  <>
    <Badge tone={status >= 500 ? 'warning' : 'error'}>{status}</Badge>
    <a href={serviceUrl(`docs/errors#${code}`)}>
      <code>{code}</code>
    </a>
  </>
)
