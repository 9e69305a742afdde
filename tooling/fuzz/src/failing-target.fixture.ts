import { serveFuzzer } from './index.ts'

// Exits or hangs on a certain input.
await serveFuzzer(async () => ({
  seeds: [Buffer.from('b'), Buffer.from(process.env.FUZZ_WORD ?? '')],
  tokens: [],
  maxLength: 10,
  async run(input) {
    if (input.toString() === 'exit') process.exit(3)
    if (input.toString() === 'hang') for (;;);
  },
  close: async () => {},
}))
