import { formatTable } from './table.ts'

// The formats of V8's profilers, as far as they are needed here.

interface CallFrame {
  functionName: string
  url: string
  lineNumber: number
}

export interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame }[]
  samples: number[]
  timeDeltas: number[]
}

interface HeapNode {
  callFrame: CallFrame
  selfSize: number
  children: HeapNode[]
}

export interface HeapProfile {
  head: HeapNode
}

/** A function and its part of the whole, from 0 to 1. */
export interface Share {
  place: string
  part: number
}

const shown = 25

function placeOf({ functionName, url, lineNumber }: CallFrame): string {
  const file = url
    .replace(/^file:\/\//, '')
    .replace(/^.*\/(node_modules\/(?!.*node_modules\/)|apps\/|packages\/)/, '$1')
  const name = functionName || '(anonymous)'
  return file ? `${name} ${file}:${lineNumber + 1}` : name
}

function toShares(totals: ReadonlyMap<string, number>): Share[] {
  const whole = [...totals.values()].reduce((sum, value) => sum + value, 0)
  return [...totals]
    .map(([place, value]) => ({ place, part: value / whole }))
    .sort((a, b) => b.part - a.part)
    .slice(0, shown)
}

const add = (totals: Map<string, number>, place: string, value: number) =>
  totals.set(place, (totals.get(place) ?? 0) + value)

/** The functions in which a process spent most time, without what they called. Idle time is left out. */
export function selfTimesOf({ nodes, samples, timeDeltas }: CpuProfile): Share[] {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]))
  const totals = new Map<string, number>()
  for (const [index, id] of samples.entries()) {
    const place = places.get(id) ?? '(unknown)'
    if (place !== '(idle)') add(totals, place, timeDeltas[index] ?? 0)
  }
  return toShares(totals)
}

/** The functions that allocated most of what was still in use at the end. */
export function allocationsOf({ head }: HeapProfile): Share[] {
  const totals = new Map<string, number>()
  const open = [head]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.selfSize > 0) add(totals, placeOf(node.callFrame), node.selfSize)
    open.push(...node.children)
  }
  return toShares(totals)
}

export const formatShares = (shares: readonly Share[]) =>
  formatTable(
    ['function', '%'],
    shares.map(({ place, part }) => [place, (part * 100).toFixed(1)]),
  )
