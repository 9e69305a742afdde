import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FirstLoad, firstLoad, openBrowser } from '@saleproof/browser'
import type { Browser } from 'playwright-core'
import { ask } from '../ask.ts'
import { addressOf, benchSecret, type Context, serviceEntry } from '../context.ts'
import { dataSets } from '../data/data-sets.ts'
import { prepareDataSet } from '../data/prepare.ts'
import { codeOf, itemIdOf, slugOf } from '../data/records.ts'
import { validation } from '../load/cells.ts'
import type { Options } from '../options.ts'
import { formatNumber, formatSpread, formatTable } from '../report/table.ts'
import { service } from '../servers.ts'
import { median, ratios, summarize } from '../statistics.ts'
import { copyInto, withWorkplace } from '../workplace.ts'

const [owner, password] = ['seller-0', 'a password of the bench']
/** The goal for every page. */
const longestMs = 1000
const blank = 'blank'

/** Every page, with something of its data: its heading alone says nothing. */
const pages: Record<string, { path: string; shows: string; asGuest?: boolean }> = {
  'log-in': { path: '', shows: 'form', asGuest: true },
  overview: { path: `/w/${slugOf(0)}`, shows: 'main canvas' },
  items: { path: `/w/${slugOf(0)}/items`, shows: '[role=rowheader]' },
  item: { path: `/w/${slugOf(0)}/items/${itemIdOf(0)}`, shows: 'main dl' },
  purchases: { path: `/w/${slugOf(0)}/purchases`, shows: '[role=rowheader]' },
  check: { path: `/w/${slugOf(0)}/check`, shows: 'textarea' },
  'api-access': { path: `/w/${slugOf(0)}/settings/api-access`, shows: '[role=rowheader]' },
  workspace: { path: `/w/${slugOf(0)}/settings/workspace`, shows: 'main form' },
  account: { path: '/account', shows: 'main form' },
}

/** What the browser and the machine take for a page of one heading. */
async function startBlank() {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>blank</title><h1>blank</h1>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}/`, close: () => server.close() }
}

async function setPassword(context: Context, database: string) {
  const env = { ...context.env, DATABASE_URL: addressOf(database), SALEPROOF_SECRET: benchSecret }
  const child = execFile(context.node, [serviceEntry(context), 'account', 'password', owner], { env })
  child.stdin!.end(`${password}\n`)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`account password: exit ${code}`)
}

/** Opens addresses as a browser that was never there before: the owner's, or a guest's. */
async function openVisits(browser: Browser, url: string) {
  const member = await browser.newContext()
  const data = { login: owner, password }
  const answer = await member.request.post(`${url}/console/api/session`, { data })
  if (!answer.ok()) throw new Error(`log-in: ${answer.status()}`)
  const storageState = await member.storageState()
  await member.close()
  return async (address: string, shows: string, asGuest = false) => {
    const visitor = await browser.newContext(asGuest ? {} : { storageState })
    const load = await firstLoad(await visitor.newPage(), address, shows)
    await visitor.close()
    return load
  }
}

/** How long each page of the console takes when it is opened by a browser that was never there, beside a page of one heading. */
export async function measureConsole(context: Context, { quick }: Options): Promise<boolean> {
  const databases = await prepareDataSet(context, dataSets.small)
  const rounds = quick ? 2 : 7
  return withWorkplace(context, async (workplace) => {
    const copies = await copyInto(workplace, databases)
    await setPassword(context, copies.service)
    const { port } = await workplace.start({ definition: service('saleproof'), databases: copies })
    const url = `http://127.0.0.1:${port}`
    // The overview has something to show.
    await ask(port, validation(codeOf(0)))
    const baseline = await startBlank()
    const browser = await openBrowser()
    try {
      const open = await openVisits(browser, url)
      const visits: Record<string, () => Promise<FirstLoad>> = {
        [blank]: () => open(baseline.address, 'h1', true),
      }
      for (const [name, { path, shows, asGuest }] of Object.entries(pages))
        visits[name] = () => open(`${url}/console${path}`, shows, asGuest)
      const loads = Object.keys(visits).map((name) => ({ name, each: [] as FirstLoad[] }))
      for (let round = 0; round <= rounds; round++) {
        context.say(`console: round ${round} of ${rounds}`)
        for (const { name, each } of loads) {
          const load = await visits[name]!()
          // The first round warms up.
          if (round > 0) each.push(load)
        }
      }
      const figures = loads.map(({ name, each }) => ({
        name,
        times: each.map(({ milliseconds }) => milliseconds),
        kilobytes: median(each.map(({ bytes }) => bytes)) / 1000,
      }))
      const rows = figures.map(({ name, times, kilobytes }) => [
        name,
        formatSpread(summarize(times)),
        formatSpread(ratios(times, figures[0]!.times)),
        formatNumber(kilobytes),
      ])
      console.log(formatTable(['first load', 'ms', `times ${blank}`, 'kB'], rows))
      return figures.every(({ times }) => median(times) < longestMs)
    } finally {
      await browser.close()
      baseline.close()
    }
  })
}
