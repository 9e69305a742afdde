import { join, resolve } from 'node:path';
const root = resolve(import.meta.dirname, '../../..');
const api = join(root, 'apps/api');
/** What is fuzzed, by name. */
const target = (name) => ({
    program: join(api, `test/fuzz/${name}.ts`),
    cwd: api,
    corpus: join(root, `tooling/fuzz/corpus/${name}.txt`),
    instrument: ['/apps/api/src/', '/packages/schema/src/'],
});
export const targets = {
    http: target('http'),
    import: target('import'),
};
