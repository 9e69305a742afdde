const interestingBytes = [0x00, 0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c, 0x5c, 0x7f, 0x80, 0xc0, 0xff];
const interestingNumbers = [
    ...['0', '1', '-1', '9007199254740991', '9007199254740992', '2147483648', '1e309', '0.1', '1e-7', '007'],
    ...['999999999999', '1000000000000', '99999999999999999999', '16384', '16385', '255', '256'],
];
/** A part of an input that is neither empty nor, mostly, large. */
function partOf(input, random) {
    const from = random.below(input.length + 1);
    const most = random.chance(0.8) ? 16 : input.length;
    return [from, Math.min(input.length, from + 1 + random.below(most))];
}
const replaced = (input, from, to, by) => Buffer.concat([input.subarray(0, from), Buffer.from(by, 'latin1'), input.subarray(to)]);
const tokenOf = ({ random, tokens }) => (tokens.length ? random.pick(tokens) : '');
const changes = [
    // Flip a bit.
    (input, { random }) => {
        const changed = Buffer.from(input);
        const at = random.below(input.length);
        changed[at] ^= 1 << random.below(8);
        return changed;
    },
    // Another byte.
    (input, { random }) => {
        const at = random.below(input.length);
        const byte = random.chance(0.5) ? random.pick(interestingBytes) : random.below(256);
        return replaced(input, at, at + 1, Buffer.of(byte));
    },
    // Bytes that were not there.
    (input, { random }) => {
        const at = random.below(input.length + 1);
        const bytes = Array.from({ length: 1 + random.below(4) }, () => random.below(256));
        return replaced(input, at, at, Buffer.from(bytes));
    },
    // A part less.
    (input, { random }) => replaced(input, ...partOf(input, random), ''),
    // A part again, now and then very often.
    (input, { random, largest }) => {
        const [from, to] = partOf(input, random);
        const part = input.subarray(from, to);
        const times = random.chance(0.9) ? 1 : 1 + random.below(largest / Math.max(1, part.length));
        return replaced(input, to, to, Buffer.concat(Array.from({ length: times }, () => part)));
    },
    // A part somewhere else.
    (input, { random }) => {
        const [from, to] = partOf(input, random);
        return replaced(input, ...partOf(input, random), input.subarray(from, to));
    },
    // A known word, between or instead.
    (input, options) => {
        const at = options.random.below(input.length + 1);
        return replaced(input, at, at, tokenOf(options));
    },
    (input, options) => replaced(input, ...partOf(input, options.random), tokenOf(options)),
    // A part of another input.
    (input, { random, other }) => {
        const source = other();
        const [from, to] = partOf(source, random);
        return replaced(input, ...partOf(input, random), source.subarray(from, to));
    },
    // The beginning of one, the end of another.
    (input, { random, other }) => {
        const source = other();
        const at = random.below(input.length + 1);
        return Buffer.concat([input.subarray(0, at), source.subarray(random.below(source.length + 1))]);
    },
    // Another number.
    (input, { random }) => {
        const numbers = [...input.toString('latin1').matchAll(/\d+(?:\.\d+)?/g)];
        if (numbers.length === 0)
            return input;
        const { index, 0: digits } = random.pick(numbers);
        return replaced(input, index, index + digits.length, random.pick(interestingNumbers));
    },
];
/** Changes an input in one or a few places. */
export function mutate(input, options) {
    const { random, largest } = options;
    let changed = input;
    for (let left = 1 + random.below(random.chance(0.8) ? 3 : 12); left > 0; left--) {
        const change = changed.length === 0 ? changes[2] : random.pick(changes);
        changed = change(changed, options);
    }
    return changed.length > largest ? changed.subarray(0, largest) : changed;
}
