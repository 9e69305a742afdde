import {
  type Copy,
  DockerfileParser,
  type Env,
  type From,
  type Instruction,
  type JSONInstruction,
} from 'dockerfile-ast'

/** One instruction of a Dockerfile, as far as this project uses the language. */
export type Step =
  | { kind: 'from'; image: string; tag: string | null; stage: string }
  | { kind: 'env'; values: Record<string, string> }
  | { kind: 'copy'; from: string | undefined; owner: string | undefined; sources: string[]; target: string }
  | { [Kind in TextKind]: { kind: Kind; text: string } }[TextKind]
  | { [Kind in WordsKind]: { kind: Kind; words: string[] } }[WordsKind]

type TextKind = 'run' | 'workdir' | 'user' | 'expose'
type WordsKind = 'entrypoint' | 'cmd' | 'healthcheck' | 'volume'

type Reader = (instruction: Instruction, text: string) => Step

const onOneLine = (text: string) => text.replaceAll(/\\\s*\n\s*/g, ' ').trim()

const asText =
  (kind: TextKind): Reader =>
  (_, text) => ({ kind, text })

const asWords =
  (kind: WordsKind): Reader =>
  (instruction) => ({
    kind,
    words: (instruction as JSONInstruction).getJSONStrings().map((word) => word.getJSONValue()),
  })

const readers: Readonly<Record<string, Reader>> = {
  FROM(instruction) {
    const from = instruction as From
    const [image, stage] = [from.getImageName() ?? '', from.getBuildStage() ?? '']
    return { kind: 'from', image, tag: from.getImageTag(), stage }
  },
  ENV(instruction) {
    const properties = (instruction as Env).getProperties()
    const values = properties.map((property) => [property.getName(), property.getValue() ?? ''])
    return { kind: 'env', values: Object.fromEntries(values) }
  },
  COPY(instruction) {
    const copy = instruction as Copy
    const flags = new Map(copy.getFlags().map((flag) => [flag.getName(), flag.getValue() ?? undefined]))
    const paths = copy.getArguments().map((argument) => argument.getValue())
    const [sources, target = ''] = [paths.slice(0, -1), paths.at(-1)]
    return { kind: 'copy', from: flags.get('from'), owner: flags.get('chown'), sources, target }
  },
  HEALTHCHECK(_, text) {
    const command = /CMD (\[.*\])$/.exec(text)?.[1]
    if (!command) throw new Error(`not understood: HEALTHCHECK ${text}`)
    return { kind: 'healthcheck', words: JSON.parse(command) }
  },
  ENTRYPOINT: asWords('entrypoint'),
  CMD: asWords('cmd'),
  VOLUME: asWords('volume'),
  RUN: asText('run'),
  WORKDIR: asText('workdir'),
  USER: asText('user'),
  EXPOSE: asText('expose'),
}

/** The steps of a Dockerfile. Throws at an instruction that is not understood: nothing may be left out unseen. */
export const stepsOf = (dockerfile: string): Step[] =>
  DockerfileParser.parse(dockerfile)
    .getInstructions()
    .map((instruction) => {
      const reader = readers[instruction.getKeyword()]
      if (!reader) throw new Error(`not understood: ${instruction.getKeyword()}`)
      return reader(instruction, onOneLine(instruction.getRawArgumentsContent() ?? ''))
    })
