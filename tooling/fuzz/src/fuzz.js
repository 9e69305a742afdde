import { mutate } from './mutate.ts';
import { shrink } from './shrink.ts';
const longestFindingMessage = 2000;
/** Two findings are alike when they differ in numbers and quoted parts alone. */
const kindOf = (message) => message.split('\n')[0].replace(/\d+|"[^"]*"|'[^']*'/g, '…');
const messageOf = (error) => String(error?.message ?? error).slice(0, longestFindingMessage);
function createRunner({ target, onInput, timeoutMs = 10000 }) {
    /** Why an input is wrong; undefined where it is not. */
    return async function problemOf(input) {
        onInput?.(input);
        const { promise: late, reject } = Promise.withResolvers();
        const timer = setTimeout(() => reject(new Error(`took more than ${timeoutMs} ms`)), timeoutMs);
        try {
            await Promise.race([target.run(input), late]);
            return undefined;
        }
        catch (error) {
            return messageOf(error);
        }
        finally {
            clearTimeout(timer);
        }
    };
}
/** Chooses an input to go on from: those that were found lately lead further. */
const chosen = (inputs, random) => random.chance(0.5)
    ? inputs[Math.max(0, inputs.length - 1 - random.below(Math.ceil(inputs.length / 8)))]
    : random.pick(inputs);
function nextInput(inputs, { target, random }) {
    const { tokens, largest, change, mend } = target;
    const from = chosen(inputs, random);
    const changed = change && random.chance(0.5)
        ? change(from, random)
        : mutate(from, { random, tokens, largest, other: () => random.pick(inputs) });
    return mend && random.chance(0.8) ? mend(changed, random) : changed;
}
/**
 * Tries input after input. Those that reach code that none has reached before, or reach it another number of times, are kept, and
 * further ones are made of them.
 */
export async function fuzz(options) {
    const { target, corpus, coverage, until, mostFindings = 5 } = options;
    const problemOf = createRunner(options);
    const kept = [];
    const findings = [];
    const kinds = new Set();
    let runs = 0;
    async function found(input, message) {
        const kind = kindOf(message);
        if (kinds.has(kind))
            return;
        kinds.add(kind);
        const smallest = await shrink(input, async (shorter) => {
            const problem = await problemOf(shorter);
            return problem !== undefined && kindOf(problem) === kind;
        });
        findings.push({ input: smallest, message: (await problemOf(smallest)) ?? message });
    }
    async function attempt(input) {
        coverage.reset();
        runs++;
        const problem = await problemOf(input);
        if (problem !== undefined)
            return found(input, problem);
        if (coverage.takeNew({ often: true }) > 0)
            kept.push(input);
    }
    const begin = [...corpus, ...target.seeds];
    const enough = () => until() || findings.length >= mostFindings;
    for (const input of begin)
        if (!enough())
            await attempt(input);
    while (!enough()) {
        await attempt(nextInput(kept.length ? kept : [Buffer.alloc(0)], options));
    }
    return { runs, findings, kept, ...coverage.reach() };
}
/** What is kept for the next time is small enough to be read. */
const largestToKeep = 4096;
/** The inputs that reach everything that all of them reach, the short ones first. */
export async function distil(inputs, options) {
    const { coverage } = options;
    const problemOf = createRunner(options);
    const needed = [];
    const small = inputs.filter(({ length }) => length <= largestToKeep);
    coverage.forget();
    for (const input of small.toSorted((a, b) => a.length - b.length)) {
        coverage.reset();
        if ((await problemOf(input)) !== undefined || coverage.takeNew({ often: false }) === 0)
            continue;
        needed.push(input);
    }
    return needed;
}
