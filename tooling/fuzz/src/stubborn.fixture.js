import { serveFuzzer } from './index.ts';
// Ends, or never comes back, when an input begins with a certain letter.
await serveFuzzer(async () => ({
    seeds: [Buffer.from('b'), Buffer.from(process.env.FUZZ_WORD ?? '')],
    tokens: [],
    largest: 10,
    async run(input) {
        if (input.toString() === 'exit')
            process.exit(3);
        if (input.toString() === 'hang')
            for (;;)
                ;
    },
    close: async () => { },
}));
