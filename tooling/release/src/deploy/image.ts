import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, globSync, mkdirSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { plainEnvironment } from '../environment.ts'
import { filesOfContext } from './context.ts'
import { type Step, stepsOf } from './steps.ts'

// What an engine does with a Dockerfile, without one: each stage is a folder, and a step works below it. Commands are not confined to
// that folder, so they may name nothing by an absolute path.

interface BuildOptions {
  dockerfile: string
  /** The folder that COPY reads from, as far as its .dockerignore lets it. */
  context: string
  folder: string
  /** What the base image brings. */
  node: string
}

interface Stage {
  root: string
  env: Record<string, string>
  workdir: string
}

export interface Image extends Stage {
  user: { uid: number; gid: number }
  entrypoint: string[]
  cmd: string[]
  healthcheck: string[]
  volume: string[]
}

const numbers = (owner: string) => {
  const [uid = 0, gid = 0] = owner.split(':').map(Number)
  return { uid, gid }
}

const inStage = ({ root, workdir }: Stage, path: string) => join(root, resolve(workdir, path))

function runStep(text: string, stage: Stage) {
  if (/(?:^|[\s="'])\/\w/.test(text)) throw new Error(`an absolute path: ${text}`)
  execFileSync('sh', ['-c', text], {
    cwd: inStage(stage, '.'),
    env: { ...plainEnvironment(join(stage.root, 'usr/local/bin/node')), ...stage.env },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 600_000,
  })
}

function own(path: string, owner: string) {
  // Others than root can give nothing away.
  if (process.getuid?.() !== 0) return
  const { uid, gid } = numbers(owner)
  for (const entry of ['', ...globSync('**', { cwd: path })]) chownSync(join(path, entry), uid, gid)
}

/** Does what a Dockerfile says. */
export function buildImage({ dockerfile, context, folder, node }: BuildOptions): Image {
  const stages = new Map<string, Stage>()
  let stage: Stage = { root: folder, env: {}, workdir: '/' }
  const config = { user: { uid: 0, gid: 0 }, entrypoint: [], cmd: [], healthcheck: [], volume: [] }
  let image: Image = { ...stage, ...config }

  function copy({ from, owner, sources, target }: Step & { kind: 'copy' }) {
    const to = inStage(stage, target)
    if (from === undefined) {
      for (const file of filesOfContext(context)) cpSync(join(context, file), join(to, file))
    } else {
      for (const path of sources.map((source) => inStage(stages.get(from)!, source))) {
        const isFolder = statSync(path).isDirectory()
        // The links of an installed package are relative, and stay as they are.
        cpSync(path, isFolder ? to : join(to, basename(path)), { recursive: true, verbatimSymlinks: true })
      }
    }
    if (owner) own(to, owner)
  }

  function take(step: Step) {
    if (step.kind === 'from') {
      stage = { root: join(folder, step.stage), env: {}, workdir: '/' }
      stages.set(step.stage, stage)
      image = { ...stage, ...config }
      cpSync(node, join(stage.root, 'usr/local/bin/node'))
    } else if (step.kind === 'env') Object.assign(stage.env, step.values)
    else if (step.kind === 'copy') copy(step)
    else if (step.kind === 'run') runStep(step.text, stage)
    else if (step.kind === 'user') image.user = numbers(step.text)
    else if (step.kind === 'workdir') {
      stage.workdir = step.text
      mkdirSync(inStage(stage, '.'), { recursive: true })
    } else if (step.kind !== 'expose') image[step.kind] = step.words
  }

  for (const step of stepsOf(dockerfile)) take(step)
  // Whoever runs it has to get to it.
  chmodSync(folder, 0o755)
  return { ...image, ...stage }
}

/** A word of a command, or the value of a variable, as it is in the folder that stands for the image. */
export const inImage = ({ root }: Image, word: string) => word.replace(/^(file:)?(?=\/)/, `$1${root}`)
