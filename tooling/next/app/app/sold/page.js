import { getClient } from '../client.js'

/** Without anything that belongs to a request: Next.js would render it while it builds. */
export default async function Page() {
  const { outcome } = await getClient().checkPurchase('SOLD-1')
  return <p>{outcome}</p>
}
