import { execFileSync, spawnSync } from 'node:child_process'
import {
  chownSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run, serve } from '../command.ts'
import { sizeOf } from '../install.ts'
import { read, root } from '../repository.ts'
import { buildImage, type Image, inImage } from './image.ts'
import { manifestOf, podOf } from './manifests.ts'
import { commandWords, directivesOf } from './units.ts'
import { variablesOf } from './variables.ts'

// The steps of the Dockerfile in a fresh folder, and what an engine would then run: as the image's user, who can write to its volume
// and nowhere else.

let folder: string
let image: Image

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'saleproof-image-'))
  image = buildImage({
    dockerfile: read('apps/api/deploy/Dockerfile'),
    context: root,
    folder,
    node: process.execPath,
  })
  // An engine mounts it read-only; and a user who owns nothing cannot write.
  execFileSync('chmod', ['-R', 'a-w', join(image.root, 'application')])
})

afterAll(() => {
  if (!folder) return
  execFileSync('chmod', ['-R', 'u+w', folder])
  rmSync(folder, { recursive: true, force: true })
})

/** A port that is free now: the address of a health check has to be known before. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}

function options(env: Record<string, string> = {}) {
  const values = Object.entries(image.env).map(([name, value]) => [name, inImage(image, value)])
  return {
    cwd: join(image.root, image.workdir),
    env: { ...Object.fromEntries(values), PATH: join(image.root, 'usr/local/bin'), ...env },
    // Only root can become somebody else; whoever else runs this is nobody special already.
    ...(process.getuid?.() === 0 && image.user),
  }
}

const words = (command: readonly string[]) =>
  command.map((word) => inImage(image, word)) as [string, ...string[]]
const command = (args: readonly string[]) => words([...image.entrypoint, ...args])

describe('the image', () => {
  const filesBelow = (path: string) => globSync('**/*', { cwd: join(image.root, path) })

  test('holds what runs and nothing else', () => {
    const files = filesBelow('application')
    for (const file of ['LICENSE', 'bin/saleproof.js', 'dist/main.mjs', 'deploy/healthcheck.mjs'])
      expect(files).toContain(file)
    const unwanted = /(^|\/)(\.git|\.env|typescript|vitest|turbo|@prisma|sqlite3\.c)$|\.secret$|\.db$/
    expect(files.filter((file) => unwanted.test(file))).toEqual([])
    const megabytes = sizeOf(join(image.root, 'application')) / 1e6
    console.log(`the application of the image: ${megabytes.toFixed(1)} MB`)
    expect(megabytes).toBeLessThan(60)
  })

  test('lets its user write to the volume alone', () => {
    expect(image.volume).toEqual(['/data'])
    expect(image.user).toEqual({ uid: 1000, gid: 1000 })
    if (process.getuid?.() === 0) expect(statSync(join(image.root, 'data')).uid).toBe(image.user.uid)
    const script = `require('node:fs').writeFileSync(${JSON.stringify(join(image.root, 'application/x'))}, '')`
    const { status, stderr } = spawnSync('node', ['-e', script], { ...options(), encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toMatch(/EACCES|EROFS/)
  })

  test('serves what its command says, is found healthy, stops when told, and keeps its data', async () => {
    const env = { PORT: await freePort(), HOST: '127.0.0.1', WEB_CONCURRENCY: '2' }
    const health = () => run(words(image.healthcheck), options(env))
    expect(await health()).toMatchObject({ code: 1 })

    const demo = await run(command(['demo']), options(env))
    expect(demo).toMatchObject({ code: 0 })
    const server = await serve(command(image.cmd), options(env))
    expect(await health()).toMatchObject({ code: 0, stderr: '' })
    const answer = await fetch(`${server.url}/api/items/all`, {
      headers: { 'x-api-key': demo.stdout.trim() },
    })
    expect(answer.status).toBe(200)
    expect(await server.stop()).toBe(0)
    expect(await health()).toMatchObject({ code: 1 })

    expect(filesBelow('data').sort()).toEqual(expect.arrayContaining(['saleproof.db', 'saleproof.db.secret']))
    const again = await run(command(['demo']), options(env))
    expect(again.stdout).toBe(demo.stdout)
  })
})

/** A folder that the user of the image may write to. */
function ownFolder(name: string): string {
  const path = join(folder, name)
  mkdirSync(path)
  if (process.getuid?.() === 0) chownSync(path, image.user.uid, image.user.gid)
  return path
}

describe('what systemd starts', () => {
  let state: string
  let backups: string

  beforeAll(() => {
    state = ownFolder('state')
    backups = ownFolder('backups')
  })

  const ofUnit = (line: string) =>
    commandWords(line).map((word) =>
      word
        .replaceAll('/usr/bin/node', join(image.root, 'usr/local/bin/node'))
        .replaceAll('/opt/saleproof/node_modules/@saleproof/api', join(image.root, 'application'))
        .replaceAll('/var/backups/saleproof', backups),
    ) as [string, ...string[]]

  function unit(name: string) {
    const env = variablesOf(
      read('apps/api/deploy/systemd/environment').replaceAll('/var/lib/saleproof', state),
    )
    const { PATH = '' } = process.env
    const lines = directivesOf(name, 'Service').get('ExecStart') ?? []
    return {
      commands: lines.map(ofUnit),
      options: (port: string) => ({ ...options({ ...env, PATH, PORT: port }), cwd: state }),
    }
  }

  test('serves, is backed up meanwhile, and loses old backups', async () => {
    const { commands, options } = unit('saleproof.service')
    const server = await serve(commands[0]!, options(await freePort()))
    try {
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
      const old = join(backups, '2020-01-01T000000.backup')
      writeFileSync(old, '')
      utimesSync(old, 0, 0)
      for (const command of unit('saleproof-backup.service').commands)
        expect(await run(command, options('0'))).toMatchObject({ code: 0 })
      expect(readdirSync(backups)).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT\d{6}\.backup$/)])
    } finally {
      expect(await server.stop()).toBe(0)
    }
  })
})

describe('what Kubernetes starts', () => {
  const [container] = podOf('Deployment').spec.containers

  test('answers the probes', async () => {
    const { data } = manifestOf('ConfigMap') as unknown as { data: Record<string, string> }
    const { stringData } = manifestOf('Secret') as unknown as { stringData: Record<string, string> }
    const database = { DATABASE_URL: `file:${join(ownFolder('pod'), 'saleproof.db')}`, REDIS_URL: '' }
    const env = { ...data, ...stringData, ...database, PORT: await freePort(), METRICS_TOKEN: 'm'.repeat(16) }
    const server = await serve(command(container!.args), options(env))
    try {
      for (const probe of [container!.startupProbe, container!.livenessProbe, container!.readinessProbe])
        expect((await fetch(`http://127.0.0.1:${env.PORT}${probe!.httpGet.path}`)).status).toBe(200)
    } finally {
      expect(await server.stop()).toBe(0)
    }
  })

  test('stops within the time that it is given', () => {
    const { spec } = podOf('Deployment') as unknown as { spec: { terminationGracePeriodSeconds: number } }
    const { lifecycle } = container as unknown as { lifecycle: { preStop: { exec: { command: string[] } } } }
    const [, seconds] = lifecycle.preStop.exec.command
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(seconds) + 10)
    expect(container?.ports?.[0]?.containerPort).toBe(Number(image.env.PORT))
  })
})
