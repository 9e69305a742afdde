import type { Client } from '@saleproof/sdk'
import { createGate } from '@saleproof/sdk/gate'
import { createFileStore } from '@saleproof/sdk/node'

/** A gate whose grace survives a restart. `pepper`: a secret of at least 32 characters that stays the same. */
export const createGateWithFiles = (client: Client, directory: string, pepper: string) =>
  createGate({
    client,
    onUnknown: { allowCachedMs: 72 * 3_600_000 },
    store: createFileStore({ directory, pepper }),
  })
