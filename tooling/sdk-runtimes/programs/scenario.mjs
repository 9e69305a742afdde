// What every runtime does: given the modules of the package and the address of a server, it returns what it found.

export async function scenario({ sdk, gate, guard, messages, publishable, testing }, baseUrl) {
  const common = { baseUrl, apiKey: 'sp_runtime_key_0123456789', maxRetries: 0, timeoutMs: 5_000 }
  const validatePurchase = {
    '~standard': {
      validate: async (value) => (value.currency === 'USD' ? { value } : { issues: [value.currency] }),
    },
  }
  const client = sdk.createClient({ ...common, validate: { validatePurchase } })
  const checkOutcome = async (code, options) => {
    const check = await client.checkPurchase(code, options)
    return [check.outcome, check.reason ?? check.error?.kind ?? check.purchase.item.name]
  }
  const outcomes = {}
  for (const code of ['good', 'none', 'html', 'redirect', 'reset', 'cut', 'large', 'gzip'])
    outcomes[code] = await checkOutcome(code)
  outcomes.hang = await checkOutcome('hang', { timeoutMs: 200 })
  outcomes.wrongItem = await checkOutcome('good', { itemId: 7 })
  outcomes.nobody = await sdk
    .createClient({ ...common, baseUrl: 'http://127.0.0.1:9' })
    .checkPurchase('good')
    .then((c) => [c.outcome, c.error.kind])

  const controller = new AbortController()
  const aborted = client.checkPurchase('hang', { signal: controller.signal }).catch((error) => error.kind)
  setTimeout(() => controller.abort(), 20)

  const theGate = gate.createGate({ client, onUnknown: 'deny' })
  const sources = []
  for (const code of ['good', 'good']) sources.push((await theGate.check(code)).source)
  const theGuard = guard.createGuard({ gate: theGate })
  const request = (code) =>
    new Request('https://product.example.com/', { headers: { 'X-Purchase-Code': code } })
  const decisions = [
    (await theGuard(request('good'))).allowed,
    (await theGuard(request('none'))).response().status,
  ]

  const texts = new Map()
  const raw = {
    get: (key) => texts.get(key),
    set: (key, text) => texts.set(key, text),
    delete: (key) => texts.delete(key),
  }
  const pepper = 'a pepper of this installation, 32 characters or more'
  const startSource = async () => {
    const started = gate.createGate({ client, store: gate.sealStore(raw, { pepper }), onUnknown: 'deny' })
    return (await started.check('good')).source
  }
  const stored = [await startSource(), await startSource()]
  for (const [key, text] of texts) texts.set(key, [...text].reverse().join(''))
  stored.push(await startSource())

  const mockApi = testing.createMockApi()
  const mocked = sdk.createClient({ baseUrl: mockApi.baseUrl, apiKey: mockApi.apiKey, fetch: mockApi.fetch })
  const error = await client.getItem(5).catch((thrown) => thrown)
  const app = publishable.createPublishableClient(common)
  const inApp = []
  for (const code of ['good', 'none', 'large', 'cut']) inApp.push((await app.checkPurchase(code)).outcome)
  return {
    outcomes,
    inApp,
    aborted: await aborted,
    sources,
    stored,
    decisions,
    mockApi: (await mocked.checkPurchase(mockApi.sell(101))).outcome,
    error: [error.name, error.kind, error.code, sdk.isSaleproofError(error), messages.explain(error)],
    prints: JSON.stringify(client).includes('sp_runtime'),
  }
}
