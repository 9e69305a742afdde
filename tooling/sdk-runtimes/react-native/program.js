import './host.js'
import 'abort-controller/polyfill'
import 'whatwg-fetch'
import { unlock } from './example.ts'

const { print, service } = globalThis
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** What a buyer sees, and how many requests there have been. */
async function run() {
  const seen = []
  const enter = async (code) => seen.push([await unlock(code), service.requests])
  await enter('AAAA-1111-BBBB-2222')
  // As a buyer may paste it.
  await enter(' AAAA\u20131111\u2013BBBB\u20132222 ')
  await enter('never-sold')
  service.isDown = true
  await pause(16 * 60_000)
  await enter('AAAA-1111-BBBB-2222')
  await enter('another')
  service.isDown = false
  service.isRefunded = true
  await pause(60_000)
  await enter('AAAA-1111-BBBB-2222')
  // It was asked in the background.
  await pause(1_000)
  await enter('AAAA-1111-BBBB-2222')
  print(JSON.stringify(seen))
}

run().catch((error) => print(error.stack))
