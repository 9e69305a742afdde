// What React Native hands to a program. Hermes alone has no network, no storage, and timers that do not wait.

const soon = globalThis.setTimeout

/** The time, which goes on to the next timer when there is nothing else to do. */
let now = 0
let timers = []

function runNext() {
  timers.sort((one, other) => one.at - other.at)
  const [next] = timers.splice(0, 1)
  if (!next) return
  now = Math.max(now, next.at)
  next.work()
}

globalThis.setTimeout = (work, ms = 0) => {
  const timer = { at: now + ms, work }
  timers.push(timer)
  soon(runNext)
  return timer
}
globalThis.clearTimeout = (timer) => {
  timers = timers.filter((each) => each !== timer)
}
globalThis.setImmediate = (work) => setTimeout(work)
// The SDK needs them on Node.js alone.
globalThis.setInterval = () => 1
globalThis.clearInterval = () => {}
globalThis.performance = { now: () => now }
const start = Date.parse('2026-01-01T00:00:00Z')
Date.now = () => start + now

/** The service: it has sold one code, and may be out of reach. */
const service = { isDown: false, isRefunded: false, requests: 0 }
globalThis.service = service

function respond(form) {
  const isSold = /purchase_code=AAAA-1111-BBBB-2222(&|$)/.test(form)
  const item = { id: 101, name: 'Icon pack' }
  const purchase = {
    purchase_code: 'AAAA-1111-BBBB-2222',
    license_type: 'Regular',
    price: 19,
    currency: 'USD',
    item,
  }
  if (isSold && !service.isRefunded) return { status: 200, body: { status: 'success', data: { purchase } } }
  const errorCode = isSold ? 'purchase_not_active' : 'purchase_not_found'
  return { status: 404, errorCode, body: { status: 'error', msg: 'Invalid purchase code' } }
}

/** As much of it as the `fetch` of React Native uses, which is `whatwg-fetch`. */
globalThis.XMLHttpRequest = class {
  responseURL = ''
  open(_method, url) {
    this.responseURL = url
  }
  setRequestHeader() {}
  getAllResponseHeaders() {
    return `content-type: application/json\r\nx-error-code: ${this.errorCode ?? ''}\r\n`
  }
  send(form) {
    service.requests += 1
    setTimeout(() => {
      if (service.isDown) return this.onerror()
      const { status, errorCode, body } = respond(form)
      Object.assign(this, { status, errorCode, response: JSON.stringify(body) })
      this.onload()
    }, 10)
  }
  abort() {}
}
