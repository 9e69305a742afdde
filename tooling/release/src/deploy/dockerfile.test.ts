import { execFileSync } from 'node:child_process'
import { validate } from 'dockerfile-utils'
import { expect, test } from 'vitest'
import { read, root } from '../repository.ts'
import { filesOfContext } from './context.ts'
import { stepsOf } from './steps.ts'

const dockerfile = read('apps/api/deploy/Dockerfile')
const steps = stepsOf(dockerfile)
const ofKind = <K extends (typeof steps)[number]['kind']>(kind: K) =>
  steps.filter((step): step is Extract<typeof step, { kind: K }> => step.kind === kind)

test('the linter finds nothing, and finds what is wrong', () => {
  expect(validate(dockerfile)).toEqual([])
  const wrong = dockerfile.replace('EXPOSE 3000', 'EXPOSE many').replace('--retries=3', '--retry=3')
  const found = validate(wrong).map(({ message }) => message)
  expect(found.sort()).toEqual(['Invalid containerPort: many', 'Unknown flag: retry'])
})

test('every stage starts from the same slim Node.js, the one that the repository is tested with', () => {
  const from = ofKind('from')
  expect(from.map(({ image }) => image)).toEqual(['node', 'node'])
  for (const { tag } of from) expect(tag).toBe(`${process.versions.node}-bookworm-slim`)
})

test('it runs as a user with a number, without a shell, and takes no secret', () => {
  expect(ofKind('user').map(({ text }) => text)).toEqual(['1000:1000'])
  // What stands after the user belongs to root: nothing is copied then.
  expect(steps.findLastIndex(({ kind }) => kind === 'copy')).toBeLessThan(
    steps.findIndex(({ kind }) => kind === 'user'),
  )
  for (const kind of ['entrypoint', 'cmd', 'healthcheck'] as const)
    expect(ofKind(kind)[0]?.words.length).toBeGreaterThan(0)
  expect(ofKind('entrypoint')[0]?.words[0]).toBe('node')
  expect(dockerfile).not.toMatch(/curl|wget|apt-get|^ADD/m)
  expect(ofKind('env').flatMap(({ values }) => Object.keys(values))).not.toContainEqual(
    expect.stringMatching(/SECRET|TOKEN|PASSWORD/),
  )
})

test('nothing but what is committed reaches the build', () => {
  const committed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  }).split('\0')
  const sent = filesOfContext(root)
  expect(sent).toContain('pnpm-lock.yaml')
  expect(sent.filter((file) => !committed.includes(file))).toEqual([])
})
