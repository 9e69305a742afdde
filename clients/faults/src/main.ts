import { startFaultServer } from './server.ts'

// For clients in other languages: prints the address and serves until standard input ends.

const server = await startFaultServer()
console.log(server.url)
process.stdin.on('end', () => process.exit()).resume()
