const largestCount = 1 << 19;
/** How often, roughly: once, twice, a few times, many times are different ways through a program. */
const classes = Uint8Array.from({ length: 129 }, (_, count) => {
    const limits = [1, 2, 3, 7, 15, 31, 127];
    const index = limits.findIndex((limit) => count <= limit);
    return index < 0 ? limits.length : index;
});
/**
 * Which parts of the instrumented code were passed, and about how often. All counters are put side by side, so that to look at them
 * and to reset them takes microseconds.
 */
export function createCoverage() {
    const counters = new Uint32Array(largestCount);
    const seen = new Uint8Array(largestCount);
    let used = 0;
    let files = 0;
    const take = (length) => {
        if (used + length > largestCount)
            throw new Error('more code than there are counters for');
        used += length;
        return counters.subarray(used - length, used);
    };
    /** Code that was loaded since counts in its own objects still. */
    function adopt() {
        const loaded = Object.values(globalThis.__coverage__ ?? {});
        for (; files < loaded.length; files++) {
            const file = loaded[files];
            file.s = take(Object.keys(file.s).length);
            for (const [branch, ways] of Object.entries(file.b))
                file.b[branch] = take(ways.length);
        }
    }
    return {
        /** Forgets what was counted, not what was seen. */
        reset() {
            adopt();
            counters.fill(0, 0, used);
        },
        /** How much of what was counted had not been seen before; it has been then. Whether it counts how often is for the caller to say. */
        takeNew({ often }) {
            adopt();
            let fresh = 0;
            for (let index = 0; index < used; index++) {
                const count = counters[index];
                if (count === 0)
                    continue;
                const bit = often ? 1 << classes[Math.min(count, 128)] : 1;
                if ((seen[index] & bit) !== 0)
                    continue;
                seen[index] |= bit;
                fresh++;
            }
            return fresh;
        },
        forget: () => void seen.fill(0),
        /** How many counters there are, and how many of them ever counted. */
        reach() {
            let reached = 0;
            for (let index = 0; index < used; index++)
                if (seen[index] !== 0)
                    reached++;
            return { counters: used, reached };
        },
    };
}
