import { createClient } from '@saleproof/sdk'

let client

/** Made by the first request: `next build` loads this file without the variables. */
export function getClient() {
  const { SALEPROOF_URL: baseUrl } = process.env
  client ??= createClient({ baseUrl, apiKey: 'sp_next_key_0123456789', maxRetries: 0 })
  return client
}
