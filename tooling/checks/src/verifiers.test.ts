import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, type Program } from '@saleproof/debian'
import { expect, onTestFinished, test } from 'vitest'
import { fences } from './markdown.ts'
import { read } from './repository.ts'

// The verifiers that docs/passes.md shows for other languages, those that Debian packages.

const blocks = fences(read('docs/passes.md'))
const snippet = (language: string) => blocks.find((block) => block.language === language)?.body

const [seller, stranger] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')]
const PublicKey = String(seller.publicKey.export({ format: 'jwk' }).x)
const Code = 'AAAA-1111-BBBB-2222'
const hour = 3_600
const now = Math.floor(Date.now() / 1_000)
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const subOf = (code: string) => hash('sha256', `saleproof-pass\0${code}`, 'base64url')

function pass(claims: object = {}, key: KeyObject = seller.privateKey) {
  const said = { aud: 'ada-studio', sub: subOf(Code), item: 101, license: 'Regular' }
  const text = `${encode({ alg: 'EdDSA' })}.${encode({ ...said, iat: now, exp: now + hour, ...claims })}`
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`
}

const cases: readonly [jws: string, isValid: boolean][] = [
  [pass(), true],
  [pass({ iat: now + 23 * hour, exp: now + 24 * hour }), true],
  [pass({}, stranger.privateKey), false],
  [pass({ sub: subOf('another') }), false],
  [pass({ item: 102 }), false],
  [pass({ aud: 'another-shop' }), false],
  [pass({ iat: now - hour, exp: now }), false],
  [pass({ iat: now + 25 * hour, exp: now + 26 * hour }), false],
  [pass().replace('.', 'x.'), false],
  [pass().slice(0, -4), false],
  [pass().replace(/[^.]+$/, ''), false],
  // Texts that are no passes: a verifier answers, and does not fail.
  ...['', '.', '..', '...', 'a', 'a.b', 'a.b.c', 'é.ü.ñ', '%.%.%', 'null', 'x'.repeat(10_000)].map(
    (text): [string, boolean] => [text, false],
  ),
]
const input = JSON.stringify(
  cases.map(([Jws]) => ({ Jws, Code, Workspace: 'ada-studio', Item: 101, PublicKey })),
)

function run({ command, args, env }: Program, ...more: string[]) {
  const options = { env: { ...process.env, ...env, GO111MODULE: 'off', CGO_ENABLED: '0' }, input } as const
  return JSON.parse(execFileSync(command, [...args, ...more], options).toString())
}

const expected = cases.map(([, isValid]) => isValid)

test('Python', () => {
  const python = findProgram({
    title: 'Python with cryptography',
    installed: ['python3'],
    probe: ['-c', 'import cryptography'],
    packages: ['python3-cryptography', 'python3-minimal'],
    unpacked(folder) {
      const own = join(folder, 'usr/bin/python3')
      const append = `import sys; sys.path.append('${folder}/usr/lib/python3/dist-packages')`
      // Where the system has Python, its packages were not fetched.
      return {
        command: existsSync(own) ? own : '/usr/bin/python3',
        args: ['-c', `${append}; exec(sys.argv[2])`],
      }
    },
  })
  const program = `${snippet('python')}
import sys
names = ('Jws', 'Code', 'Workspace', 'Item', 'PublicKey')
print(json.dumps([is_valid(*(case[name] for name in names)) for case in json.load(sys.stdin)]))
`
  expect(run(python, '-c', program)).toEqual(expected)
})

test('Go', { timeout: 300_000 }, () => {
  const go = findProgram({
    title: 'Go',
    installed: ['go'],
    probe: ['version'],
    packages: ['golang-go'],
    unpacked(folder) {
      const name = readdirSync(join(folder, 'usr/lib')).find((each) => /^go-\d/.test(each)) ?? ''
      return { command: join(folder, 'usr/lib', name, 'bin/go'), args: [] }
    },
  })
  const imports = [
    'crypto/ed25519',
    'crypto/sha256',
    'encoding/base64',
    'encoding/json',
    'os',
    'strings',
    'time',
  ]
  const program = `package main

import (
${imports.map((name) => `"${name}"`).join('\n')}
)

${snippet('go')}
func main() {
	var cases []struct { Jws, Code, Workspace, PublicKey string; Item int64 }
	if json.NewDecoder(os.Stdin).Decode(&cases) != nil { os.Exit(1) }
	results := []bool{}
	for _, c := range cases { results = append(results, isValid(c.Jws, c.Code, c.Workspace, c.Item, c.PublicKey)) }
	json.NewEncoder(os.Stdout).Encode(results)
}
`
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-verifier-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'verifier.go')
  writeFileSync(file, program)
  expect(run(go, 'run', file)).toEqual(expected)
})
