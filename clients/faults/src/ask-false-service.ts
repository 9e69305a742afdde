import type { FalseServicePlan, PassVector } from './false-service.ts'

// Runs in every runtime: tooling/sdk-runtimes bundles it.

interface Check {
  readonly outcome: string
  readonly error?: { readonly code?: string | undefined }
}

/** What this needs of the package. */
export interface PassToolkit {
  createPublishableClient(options: object): {
    checkPurchase(code: string, options: { itemId: number }): Promise<Check>
  }
  verifyPasses(options: { workspace: string; publicKeys: readonly string[]; now?: () => number }): unknown
}

const common = { apiKey: 'spp_a_publishable_key', maxRetries: 0, timeoutMs: 30_000, totalTimeoutMs: 60_000 }
const brief = ({ outcome, error }: Check) => [outcome, error?.code].filter(Boolean).join(' ')

/** The outcome of a vector, whose pass comes by a `fetch` of its own. */
async function checkVector({ createPublishableClient, verifyPasses }: PassToolkit, vector: PassVector) {
  const { jws, code, item, workspace, publicKeys, now } = vector
  const fetch = async (_: string, { body }: { body: string }) => {
    const purchase = {
      purchase_code: new URLSearchParams(body).get('purchase_code'),
      license_type: 'Regular',
      price: 19.99,
      item: { id: item, name: 'Icon pack' },
    }
    const get = (name: string) => (name === 'X-Purchase-Pass' ? jws : null)
    const text = async () => JSON.stringify({ status: 'success', data: { purchase } })
    return { status: 200, headers: { get }, text }
  }
  const passes = verifyPasses({ workspace, publicKeys, now: () => now * 1_000 })
  const client = createPublishableClient({ ...common, baseUrl: 'https://market.example.com', fetch, passes })
  return (await client.checkPurchase(code, { itemId: item })).outcome
}

/** Asks the false service, in turn for each forgery; what the client made of the answers, each with how often. */
export async function askFalseService(toolkit: PassToolkit, url: string) {
  const plan = (await (await fetch(`${url}/plan`)).json()) as FalseServicePlan
  const { workspace, publicKeys, itemId, count, forgeries, vectors } = plan
  const passes = toolkit.verifyPasses({ workspace, publicKeys })
  const client = toolkit.createPublishableClient({ ...common, baseUrl: url, passes })
  const outcomes: Record<string, number> = {}
  let next = 0
  const work = async () => {
    for (let index = next++; index < count; index = next++) {
      const code = `${forgeries[index % forgeries.length]}-${index}`
      const outcome = brief(await client.checkPurchase(code, { itemId }))
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: 5 }, work))
  const wrong: string[] = []
  for (const vector of vectors) {
    const outcome = await checkVector(toolkit, vector)
    if ((outcome === 'valid') !== (vector.expect === 'valid')) wrong.push(vector.name)
  }
  return { outcomes, honest: brief(await client.checkPurchase('honest-1', { itemId })), wrong }
}
