/** Mulberry32: small, fast, and good enough to choose what to change. */
export function createRandom(seed) {
    let state = seed >>> 0;
    function next() {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    }
    const below = (limit) => Math.floor(next() * limit);
    return { below, chance: (probability) => next() < probability, pick: (of) => of[below(of.length)] };
}
