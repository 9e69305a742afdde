import { existsSync, readFileSync, writeFileSync } from 'node:fs';
// One input a line, as a JSON string in which each character is a byte: what was changed can be read in a review.
/** The inputs in a file; none where there is no file. */
export function readInputs(file) {
    if (!existsSync(file))
        return [];
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => Buffer.from(JSON.parse(line), 'latin1'));
}
export const lineOf = (input) => JSON.stringify(input.toString('latin1'));
export const writeInputs = (file, inputs) => writeFileSync(file, inputs.map((input) => `${lineOf(input)}\n`).join(''));
