import { read } from '../repository.ts'

/** The variables that the service reads, as configuration.md lists them; a test of the documents keeps that list true. */
export const knownVariables: readonly string[] = [
  ...read('apps/api/docs/configuration.md').matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \|/gm),
].flatMap(([, cell = '']) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name))

/** The variables of a file with a NAME=value on each line. */
export const variablesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
