import { expect, test } from 'vitest'
import { readErrorCode } from '../errors.ts'
import { createThread } from './thread.ts'

const workerOf = (script: string) => new URL(`data:text/javascript,${encodeURIComponent(script)}`)

test.each([
  { script: 'throw new Error("broken")', code: 'THREAD_FAILED' },
  { script: 'throw Object.assign(new Error("broken"), { code: "ENOSPC" })', code: 'ENOSPC' },
  { script: 'process.exit()', code: 'THREAD_ENDED' },
])('a call of a thread that ends by `$script` fails with $code', async ({ script, code }) => {
  const error = await createThread(workerOf(script), { workerData: {} })
    .call({})
    .catch((reason: unknown) => reason)
  expect(readErrorCode(error)).toBe(code)
})
