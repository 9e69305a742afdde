import type { Socket } from 'node:net'
import { clientKey } from './client-key.ts'
import { type Connection, pendingResponse } from './pipelining.ts'

export interface AdmissionOptions {
  maxConnections: number
  /** Whether an address is one of a proxy, which connects for many clients. */
  isProxy: (address: string) => boolean
  /** Called when a connection is closed because there are too many of all, or too many of its address. */
  onLimit: { all: () => void; address: () => void }
}

type OpenSocket = Socket & Connection

interface Group {
  open: Set<OpenSocket>
  max: number
  onLimit: () => void
}

const createGroup = (max: number, onLimit: () => void): Group => ({ open: new Set(), max, onLimit })

/** The oldest connection that never sent a request, or else the oldest one that waits for its next request. */
function findUnused(sockets: Iterable<OpenSocket>): OpenSocket | undefined {
  let idle: OpenSocket | undefined
  for (const socket of sockets) {
    if (socket.destroyed) continue
    if (!socket.latest) return socket
    if (!idle && !pendingResponse(socket)) idle = socket
  }
  return idle
}

/** Whether there is room for one more; an unused connection gives way to it. */
function hasRoom(group: Group): boolean {
  if (group.open.size < group.max) return true
  group.onLimit()
  const unused = findUnused(group.open)
  unused?.destroy()
  return unused !== undefined
}

/** Lets connections in: all together up to the limit, and up to half of it from one address. */
export function createAdmission({ maxConnections, isProxy, onLimit }: AdmissionOptions) {
  const all = createGroup(maxConnections, onLimit.all)
  const byClient = new Map<string, Group>()
  const maxPerClient = Math.ceil(maxConnections / 2)

  function remove(socket: OpenSocket, groups: readonly Group[], client: string | undefined) {
    for (const { open } of groups) open.delete(socket)
    if (client !== undefined && byClient.get(client)?.open.size === 0) byClient.delete(client)
  }

  return {
    open: all.open,
    admit(socket: OpenSocket) {
      const address = socket.remoteAddress ?? ''
      const client = isProxy(address) ? undefined : clientKey(address)
      const group =
        client === undefined ? all : (byClient.get(client) ?? createGroup(maxPerClient, onLimit.address))
      const groups = group === all ? [all] : [group, all]
      if (!groups.every(hasRoom)) {
        socket.destroy()
        return
      }
      for (const { open } of groups) open.add(socket)
      if (client !== undefined) byClient.set(client, group)
      socket.once('close', () => remove(socket, groups, client))
    },
  }
}
