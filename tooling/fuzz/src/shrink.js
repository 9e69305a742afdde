const newline = 0x0a;
/** Where a part ends that may be left out by itself: after so many bytes, or at the end of the line. */
const endOf = (input, from, size) => {
    if (size !== 'line')
        return from + size;
    const end = input.indexOf(newline, from);
    return end < 0 ? input.length : end + 1;
};
/** Makes an input smaller for as long as it still fails, within so many tries: by whole lines first, then by ever smaller parts. */
export async function shrink(input, fails, { tries = 400 } = {}) {
    let [smallest, left] = [input, tries];
    async function leaveOut(size) {
        for (let from = 0; from < smallest.length && left > 0;) {
            left--;
            const end = endOf(smallest, from, size);
            const shorter = Buffer.concat([smallest.subarray(0, from), smallest.subarray(end)]);
            if (await fails(shorter))
                smallest = shorter;
            else
                from = end;
        }
    }
    await leaveOut('line');
    for (let size = Math.ceil(smallest.length / 2); size >= 1; size = Math.floor(size / 2))
        await leaveOut(size);
    return smallest;
}
