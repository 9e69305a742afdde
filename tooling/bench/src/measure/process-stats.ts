import { readFileSync } from 'node:fs'

// Stats of Linux, summed over a process and its children: a service may have workers.

/** Linux counts processor time in hundredths of a second on every platform that Node.js runs on. */
const ticksPerSecond = 100

/** The user and system time in a line of `/proc/PID/stat`, in seconds. The name before it may hold spaces and brackets. */
export function parseCpuSeconds(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** Reads a size of `/proc/PID/status`, in MB. */
export function parseMemory(status: string, name: 'VmRSS' | 'VmHWM'): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]
  return Number(kilobytes ?? 0) / 1024
}

const read = (pid: number, file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8')

function family(pid: number): number[] {
  const children = read(pid, `task/${pid}/children`).trim()
  return [pid, ...(children ? children.split(' ').flatMap((child) => family(Number(child))) : [])]
}

const sum = (pid: number, stat: (pid: number) => number) =>
  family(pid).reduce((total, relative) => total + stat(relative), 0)

export const cpuSeconds = (pid: number) => sum(pid, (relative) => parseCpuSeconds(read(relative, 'stat')))
export const residentMemory = (pid: number) =>
  sum(pid, (relative) => parseMemory(read(relative, 'status'), 'VmRSS'))

/** The most resident memory so far. */
export const peakMemory = (pid: number) =>
  sum(pid, (relative) => parseMemory(read(relative, 'status'), 'VmHWM'))
