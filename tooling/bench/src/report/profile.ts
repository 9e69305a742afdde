import { formatTable } from './table.ts'

/** The format of V8's profiler, as far as it is needed here. */
export interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

/** A function and its part of the whole, from 0 to 1. */
export interface Share {
  name: string
  part: number
}

const maxRows = 25

function nameOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const file = url
    .replace(/^file:\/\//, '')
    .replace(/^.*\/(node_modules\/(?!.*node_modules\/)|apps\/|packages\/)/, '$1')
  const name = functionName || '(anonymous)'
  return file ? `${name} ${file}:${lineNumber + 1}` : name
}

/** The functions that took most time themselves, without what they called. Idle time is left out. */
export function selfTimesOf({ nodes, samples, timeDeltas }: CpuProfile): Share[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const times = new Map<string, number>()
  let total = 0
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? '(unknown)'
    if (name === '(idle)') continue
    const time = timeDeltas[index] ?? 0
    times.set(name, (times.get(name) ?? 0) + time)
    total += time
  }
  return [...times]
    .map(([name, time]) => ({ name, part: time / total }))
    .sort((a, b) => b.part - a.part)
    .slice(0, maxRows)
}

export const formatShares = (shares: readonly Share[]) =>
  formatTable(
    ['function', '%'],
    shares.map(({ name, part }) => [name, (part * 100).toFixed(1)]),
  )
