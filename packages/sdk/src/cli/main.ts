#!/usr/bin/env node
import { text } from 'node:stream/consumers'
import { runCheck } from './check.ts'

process.exitCode = await runCheck({
  args: process.argv.slice(2),
  env: process.env,
  isTerminal: process.stdin.isTTY === true,
  readInput: () => text(process.stdin),
  print: (line) => console.log(line),
  complain: (line) => console.error(line),
})
