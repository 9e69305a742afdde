import { execFileSync } from 'node:child_process'
import { onTestFinished } from 'vitest'

/** A machine's own network, which Linux makes for root: what is cut drops every packet, in both directions. */
export interface Network {
  /** Runs a program in it. */
  within: readonly string[]
  /** Its own address on the link of callers, and that of this machine on the link of databases. */
  own: string
  host: string
  cut: (links: readonly Link[]) => () => void
}

type Link = 'callers' | 'databases'
const links: readonly Link[] = ['callers', 'databases']

const ip = (command: string) => execFileSync('ip', command.split(' '), { stdio: 'pipe' })

/** No one has it. */
const deadEnd = '02:00:00:00:00:99'

const isPossible = () => process.platform === 'linux' && process.getuid?.() === 0

export function createNetwork(number: number): Network | undefined {
  if (!isPossible()) return undefined
  const name = `sp${process.pid}n${number}`
  const subnet = (link: Link) => `10.${100 + (process.pid % 100)}.${2 * number + links.indexOf(link)}`
  const device = (link: Link, end: 'h' | 'n') => `${name}${link[0]}${end}`
  ip(`netns add ${name}`)
  onTestFinished(() => void ip(`netns del ${name}`))
  ip(`-n ${name} link set lo up`)
  for (const link of links) {
    ip(`link add ${device(link, 'h')} type veth peer name ${device(link, 'n')} netns ${name}`)
    for (const [where, end, part] of [
      ['', 'h', 1],
      [`-n ${name} `, 'n', 2],
    ] as const) {
      ip(`${where}addr add ${subnet(link)}.${part}/24 dev ${device(link, end)}`)
      ip(`${where}link set ${device(link, end)} up`)
    }
  }
  /** Packets to the other end of a link go to a machine that is not there. */
  function lose(link: Link) {
    ip(`neigh replace ${subnet(link)}.2 lladdr ${deadEnd} dev ${device(link, 'h')} nud permanent`)
    ip(`-n ${name} neigh replace ${subnet(link)}.1 lladdr ${deadEnd} dev ${device(link, 'n')} nud permanent`)
  }
  function find(link: Link) {
    ip(`neigh del ${subnet(link)}.2 dev ${device(link, 'h')}`)
    ip(`-n ${name} neigh del ${subnet(link)}.1 dev ${device(link, 'n')}`)
  }
  return {
    within: ['ip', 'netns', 'exec', name],
    own: `${subnet('callers')}.2`,
    host: `${subnet('databases')}.1`,
    cut(some) {
      for (const link of some) lose(link)
      return () => {
        for (const link of some) find(link)
      }
    },
  }
}
