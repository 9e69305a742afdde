import { startWorker } from './miniflare-host.mjs'

// Requests that end while their check is under way, and others after them.
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

async function requests() {
  const worker = startWorker()
  const send = async (query) => {
    const response = await worker.dispatchFetch(`http://localhost/?${query}`)
    return response.ok ? response.json() : (await response.text()).slice(0, 200)
  }
  const leave = (query) => send(`${query}&early`)
  const found = {}

  await leave('gate=one&code=slow')
  found.sameCode = await send('gate=one&code=slow')
  found.again = await send('gate=one&code=good')

  for (let count = 0; count < 25; count += 1) await leave(`gate=many&code=slow`)
  for (let count = 0; count < 25; count += 1) await leave(`gate=many&code=slow-${count}`)
  found.afterMany = await send('gate=many&code=slow')
  found.concurrent = await Promise.all(['slow', 'slow', 'good'].map((code) => send(`gate=many&code=${code}`)))

  await send('gate=outage&code=good')
  found.failure = await send('gate=outage&code=reset')
  found.grace = await send('gate=outage&code=good')
  await pause(1_100)
  // This one begins the probe, and ends.
  await leave('gate=outage&code=good')
  await pause(1_100)
  found.inBackground = await send('gate=outage&code=good&background')
  await pause(300)
  found.recovered = await send('gate=outage&code=good')

  await send('gate=inline&code=good')
  await send('gate=inline&code=reset')
  await send('gate=inline&code=good')
  await pause(1_100)
  found.inline = await send('gate=inline&code=other')
  await worker.dispose()
  return found
}

console.log(JSON.stringify(await requests()))
