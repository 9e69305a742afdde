import { runClient } from './client.ts'

// The load is a process of its own, so that it can be put on a core of its own.
const { load, schedule } = JSON.parse(process.argv[2]!)
console.log(JSON.stringify(await runClient(load, schedule)))
