import { readFileSync, writeFileSync } from 'node:fs'

// What a load asks for, as wrk's script and our own client read it: the texts of requests, with a zero byte after each.

export const writeRequests = (file: string, requests: readonly string[]) =>
  writeFileSync(file, requests.map((request) => `${request}\0`).join(''))

/** The requests of a file, without an object for each: the garbage collector would stop a measurement to look through them. */
export function readRequests(file: string) {
  const bytes = readFileSync(file)
  let count = 0
  for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, end + 1)) count++
  const starts = new Uint32Array(count + 1)
  for (let index = 0; index < count; index++) starts[index + 1] = bytes.indexOf(0, starts[index]) + 1
  return {
    count,
    at: (index: number) => bytes.subarray(starts[index], starts[index + 1]! - 1),
  }
}
