import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { runTarget } from './run-target.ts';
afterEach(() => vi.unstubAllEnvs());
const run = (word) => {
    vi.stubEnv('FUZZ_WORD', word);
    return runTarget({
        program: fileURLToPath(new URL('./stubborn.fixture.ts', import.meta.url)),
        cwd: import.meta.dirname,
        ...{ seed: 1, seconds: 1, corpus: 'none', instrument: [], plants: [], save: false, mostFindings: 5 },
        longestInputMs: 3000,
    });
};
test('a process that goes on to the end finds nothing', async () => {
    expect(await run('fine')).toMatchObject({ findings: [] });
});
test('what a process dies of is a finding', async () => {
    const { findings } = await run('exit');
    expect(findings).toEqual([
        { input: '"exit"', message: expect.stringMatching(/^the process ended \(exit 3\)/) },
    ]);
});
test('so is what it hangs on', async () => {
    const { findings } = await run('hang');
    expect(findings).toEqual([{ input: '"hang"', message: 'hangs for more than 3000 ms' }]);
});
