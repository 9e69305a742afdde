import { writeFileSync } from 'node:fs';
import { lineOf, readInputs, writeInputs } from './corpus.ts';
import { createCoverage } from './coverage.ts';
import { distil, fuzz } from './fuzz.ts';
import { createRandom } from './random.ts';
import { settingsOf } from './settings.ts';
/** Fuzzes a target in this process, as it was told to by the one that started it. */
export async function serveFuzzer(createTarget) {
    const { seed, seconds, corpus: file, current, save, mostFindings } = settingsOf(process.env);
    const target = await createTarget(seed);
    const began = performance.now();
    const corpus = readInputs(file);
    const options = {
        ...{ target, corpus, mostFindings, coverage: createCoverage(), random: createRandom(seed) },
        until: () => performance.now() - began > seconds * 1000,
        // If the process dies or hangs, this is what it dies of.
        onInput: (input) => writeFileSync(current, lineOf(input)),
    };
    const { findings, kept, ...figures } = await fuzz(options);
    if (save)
        writeInputs(file, await distil(kept, options));
    const report = {
        ...figures,
        seconds: (performance.now() - began) / 1000,
        kept: kept.length,
        findings: findings.map(({ input, message }) => ({ input: lineOf(input), message })),
    };
    await target.close();
    process.send?.(report, () => process.exit(0));
}
