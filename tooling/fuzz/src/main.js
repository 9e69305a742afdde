import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runTarget } from './run-target.ts';
import { targets } from './targets.ts';
// `pnpm fuzz [--target http] [--seconds 30] [--seed 1] [--save]`
const { values } = parseArgs({
    options: {
        target: { type: 'string', multiple: true, default: Object.keys(targets) },
        seconds: { type: 'string', default: '30' },
        seed: { type: 'string', default: String(Date.now() % 1e9) },
        save: { type: 'boolean', default: false },
    },
});
const findingsFolder = resolve(import.meta.dirname, '../findings');
function tell(name, { runs, seconds, kept, counters, reached }) {
    const rate = Math.round(runs / Math.max(seconds, 0.001));
    const share = Math.round((100 * reached) / Math.max(counters, 1));
    console.log(`${name}: ${runs} inputs in ${Math.round(seconds)} s (${rate}/s), ${kept} kept, ${share} % of ${counters} counters reached`);
}
/** Keeps a finding where it can be tried again, and says where. */
function keep(name, { input, message }) {
    mkdirSync(findingsFolder, { recursive: true });
    const hash = createHash('sha256').update(input).digest('hex').slice(0, 8);
    const file = join(findingsFolder, `${name}-${hash}.txt`);
    writeFileSync(file, `${input}\n`);
    console.log(`${name}: ${message}\n  with ${input.slice(0, 500)}\n  kept in ${file}`);
}
for (const name of values.target) {
    const target = targets[name];
    if (!target)
        throw new Error(`--target takes ${Object.keys(targets).join(', ')}`);
    const { seconds, seed, save } = values;
    console.log(`${name}: seed ${seed}`);
    const report = await runTarget({
        ...target,
        seed: Number(seed),
        seconds: Number(seconds),
        save,
        plants: [],
        mostFindings: 5,
    });
    tell(name, report);
    for (const finding of report.findings)
        keep(name, finding);
    if (report.findings.length)
        process.exitCode = 1;
}
