import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsIn } from './settings.ts';
const instrumentation = new URL('./instrument.ts', import.meta.url).href;
const silent = { runs: 0, seconds: 0, kept: 0, counters: 0, reached: 0 };
const ageOf = (file) => {
    try {
        return Date.now() - statSync(file).mtimeMs;
    }
    catch {
        return 0;
    }
};
const contentOf = (file) => {
    try {
        return readFileSync(file, 'utf8');
    }
    catch {
        return '""';
    }
};
/** Fuzzes in a process of its own: one that dies or hangs is a finding as well. */
export async function runTarget({ program, cwd, longestInputMs = 30000, ...settings }) {
    const folder = mkdtempSync(join(tmpdir(), 'saleproof-fuzz-'));
    const current = join(folder, 'current');
    const flags = ['--conditions=@saleproof/source', '--disable-warning=ExperimentalWarning'];
    const child = spawn(process.execPath, [...flags, `--import=${instrumentation}`, program], {
        cwd,
        env: { ...process.env, ...settingsIn({ ...settings, current }) },
        stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    let [report, hung, errors] = [undefined, false, ''];
    child.on('message', (message) => {
        report = message;
    });
    child.stderr?.setEncoding('utf8').on('data', (text) => {
        errors = (errors + text).slice(-4000);
    });
    const watch = setInterval(() => {
        hung = ageOf(current) > longestInputMs;
        if (hung)
            child.kill('SIGKILL');
    }, 1000);
    const ended = await new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ?? `exit ${code}`)));
    clearInterval(watch);
    const input = contentOf(current);
    rmSync(folder, { recursive: true, force: true });
    if (report && ended === 'exit 0')
        return report;
    const message = hung
        ? `hangs for more than ${longestInputMs} ms`
        : `the process ended (${ended}): ${errors}`;
    return { ...silent, ...report, findings: [...(report?.findings ?? []), { input, message }] };
}
