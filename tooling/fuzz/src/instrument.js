import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createInstrumenter } from 'istanbul-lib-instrument';
import { settingsOf } from './settings.ts';
// Loaded before everything else (`node --import`): counts what is passed of the code that is fuzzed.
const { instrument, plants } = settingsOf(process.env);
const instrumenter = createInstrumenter({ esModules: true, compact: true, produceSourceMap: false });
/** The source, with the faults that were asked for planted in it. */
function sourceOf(file) {
    let source = readFileSync(file, 'utf8');
    for (const { file: where, find, replace } of plants) {
        if (!file.endsWith(where))
            continue;
        if (!source.includes(find))
            throw new Error(`${where} has no ${find}`);
        source = source.replace(find, replace);
    }
    return source;
}
registerHooks({
    load(url, context, next) {
        if (!url.startsWith('file:') || !instrument.some((part) => url.includes(part)))
            return next(url, context);
        const file = fileURLToPath(url);
        const source = instrumenter.instrumentSync(stripTypeScriptTypes(sourceOf(file)), file);
        return { format: 'module', source, shortCircuit: true };
    },
});
