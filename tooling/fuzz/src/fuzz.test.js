import { createInstrumenter } from 'istanbul-lib-instrument';
import { describe, expect, test } from 'vitest';
import { createCoverage } from './coverage.ts';
import { fuzz } from './fuzz.ts';
import { createRandom } from './random.ts';
/** Throws at the word `Sale`, one letter at a time. */
const source = `
  export function look(bytes) {
    if (bytes[0] === 0x53) {
      if (bytes[1] === 0x61) {
        if (bytes[2] === 0x6c) {
          if (bytes[3] === 0x65) throw new Error('planted 42')
        }
      }
    }
  }`;
const instrumented = createInstrumenter({ esModules: true }).instrumentSync(source, 'look.js');
const module = (text) => import(`data:text/javascript,${encodeURIComponent(text)}`);
const target = (run) => ({
    seeds: [Buffer.from('....'), Buffer.from('........')],
    tokens: [],
    largest: 64,
    run: async (input) => run(input),
    close: async () => { },
});
async function search(run, coverage, more = {}) {
    let tries = 0;
    const until = () => ++tries > 60000;
    const options = { target: target(run), corpus: [], coverage, random: createRandom(5), until };
    return fuzz({ ...options, mostFindings: 1, ...more });
}
describe('a search', () => {
    test('is led by what was reached, and makes what it finds small', async () => {
        const { look } = await module(instrumented);
        const { findings, kept, reached } = await search(look, createCoverage());
        expect(findings).toEqual([{ input: Buffer.from('Sale'), message: 'planted 42' }]);
        expect(kept.length).toBeGreaterThan(3);
        expect(reached).toBeGreaterThan(3);
    });
    test('finds nothing of the kind without knowing what was reached', async () => {
        const { look } = await module(source);
        const { findings, runs } = await search(look, createCoverage());
        expect(findings).toEqual([]);
        expect(runs).toBeGreaterThan(50000);
    });
    test('begins with what was kept', async () => {
        const { look } = await module(source);
        const { findings, runs } = await search(look, createCoverage(), { corpus: [Buffer.from('__Sale')] });
        expect(findings).toEqual([]);
        const again = await search(look, createCoverage(), { corpus: [Buffer.from('Sale!')] });
        expect(again.findings.map(({ input }) => String(input))).toEqual(['Sale']);
        expect(again.runs).toBeLessThan(runs);
    });
    test('is the same again with the same seed', async () => {
        const inputsOf = async (seed) => {
            const inputs = [];
            const onInput = (input) => void inputs.push(input.toString('hex'));
            const until = () => inputs.length > 500;
            await search(() => { }, createCoverage(), { random: createRandom(seed), onInput, until });
            return inputs;
        };
        expect(await inputsOf(1)).toEqual(await inputsOf(1));
        expect(await inputsOf(1)).not.toEqual(await inputsOf(2));
    });
    test('takes two failures that differ in numbers for one', async () => {
        const run = (input) => {
            throw new Error(`wrong at ${input.length}`);
        };
        expect((await search(run, createCoverage(), { mostFindings: 2 })).findings).toHaveLength(1);
    });
    test('takes too long an answer for a failure', async () => {
        const never = { ...target(() => { }), run: () => new Promise(() => { }) };
        const { findings } = await search(() => { }, createCoverage(), { target: never, timeoutMs: 20 });
        expect(findings[0]?.message).toBe('took more than 20 ms');
    });
});
