import { getClient } from '../client.js'

// What makes Next.js 16 keep responses as Next.js 14 does.
export const fetchCache = 'default-cache'

export async function GET(request) {
  const code = new URL(request.url).searchParams.get('code')
  const { outcome } = await getClient().checkPurchase(code)
  return new Response(outcome)
}
