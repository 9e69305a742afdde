import { read } from '../repository.ts'

/** The lines of a section of a systemd unit: a directive may stand there more than once. */
export type Directives = ReadonlyMap<string, readonly string[]>

export function directivesOf(unit: string, section: string): Directives {
  const text = read(`apps/api/deploy/systemd/${unit}`)
  const body = new RegExp(`^\\[${section}\\]\n([^[]*)`, 'm').exec(text)?.[1] ?? ''
  const found = new Map<string, string[]>()
  for (const [, name = '', value = ''] of body.matchAll(/^(\w+)=(.*)$/gm))
    found.set(name, [...(found.get(name) ?? []), value])
  return found
}

/** The words of a command line of systemd: quoted ones keep their blanks, `%%` is a percent sign. */
export const commandWords = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, bare]) =>
    (single ?? double ?? bare ?? '').replaceAll('%%', '%'),
  )
