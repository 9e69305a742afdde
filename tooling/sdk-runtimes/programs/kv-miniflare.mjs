import { startWorker } from './miniflare-host.mjs'

const worker = startWorker({ kvNamespaces: ['PURCHASES'] })
const send = async (query) => (await worker.dispatchFetch(`http://localhost/?${query}`)).json()
const pause = () => new Promise((resolve) => setTimeout(resolve, 1_200))

const found = { first: await send('gate=one&code=good') }
// Some may find the result of another one.
const concurrent = await Promise.all([1, 2, 3].map(() => send('gate=one&code=gzip')))
found.concurrent = concurrent.map(([outcome]) => outcome)
await pause()
found.elsewhere = await send('gate=two&code=good')
await send('gate=two&code=good&forget')
await pause()
found.forgotten = await send('gate=two&code=good')
found.invalid = await send('gate=two&code=none')
found.writes = await send('writes')
// A second has not passed: KV would refuse this.
await send('gate=two&code=good&forget')
found.forgottenAtOnce = await send('gate=two&code=good')
found.tooEarly = (await send('writes')).tooEarly
await worker.dispose()
console.log(JSON.stringify(found))
