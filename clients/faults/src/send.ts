import type { Socket } from 'node:net'
import type { Rendered } from './render.ts'

function finish(socket: Socket, { bytes, onSent, then = 'end' }: Rendered) {
  onSent?.()
  if (then === 'end') socket.end()
  // The bytes must leave first.
  if (then === 'reset') setTimeout(() => socket.resetAndDestroy(), bytes.length ? 20 : 0)
}

function drip(socket: Socket, rendered: Rendered, at: number) {
  const { bytes, dripMs } = rendered
  if (socket.destroyed) return
  if (at === bytes.length) return finish(socket, rendered)
  socket.write(bytes.subarray(at, at + 1))
  setTimeout(drip, dripMs, socket, rendered, at + 1)
}

/** Writes what looks like a response, and does then what it says. */
export function send(socket: Socket, rendered: Rendered): void {
  const { bytes, delayMs = 0, dripMs } = rendered
  setTimeout(() => {
    if (dripMs) return drip(socket, rendered, 0)
    if (bytes.length) socket.write(bytes)
    finish(socket, rendered)
  }, delayMs)
}
