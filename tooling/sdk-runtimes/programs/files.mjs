import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@saleproof/sdk'
import { createGate } from '@saleproof/sdk/gate'
import { createFileStore, expressGuard } from '@saleproof/sdk/node'

// What every runtime with files does: a gate keeps its results over a restart, and guards a server.

const client = createClient({ baseUrl: process.env.SALEPROOF_URL, apiKey: 'sp_runtime_key_0123456789' })
const directory = await mkdtemp(join(tmpdir(), 'saleproof-files-'))
const pepper = 'a pepper of this installation, 32 characters or more'
const start = () => createGate({ client, onUnknown: 'deny', store: createFileStore({ directory, pepper }) })

const sources = []
for (let times = 0; times < 2; times += 1) sources.push((await start().check('good')).source)
const files = (await readdir(directory)).every((name) => /^[0-9a-f]{64}$/.test(name))

const guard = expressGuard({ gate: start(), itemId: 101 })
const server = createServer((request, response) =>
  guard(request, response, () => response.end(request.purchase.item.name)),
)
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const answers = []
for (const code of ['good', 'none', '']) {
  const response = await fetch(`http://127.0.0.1:${server.address().port}/`, {
    headers: code ? { 'X-Purchase-Code': code } : {},
  })
  answers.push([response.status, await response.text()])
}
server.close()
server.closeAllConnections?.()
await rm(directory, { recursive: true })
console.log(JSON.stringify({ sources, files, answers }))
