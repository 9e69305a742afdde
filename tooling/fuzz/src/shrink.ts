type Fails = (input: Buffer) => Promise<boolean>

const newline = 0x0a

/** The end of the part that begins at `from`: after so many bytes, or at the end of the line. */
const endOf = (input: Buffer, from: number, size: number | 'line') => {
  if (size !== 'line') return from + size
  const end = input.indexOf(newline, from)
  return end < 0 ? input.length : end + 1
}

/** Removes parts of an input for as long as it still fails: lines first, then ever smaller parts. */
export async function shrink(input: Buffer, fails: Fails, { tries = 400 } = {}): Promise<Buffer> {
  let smallest = input
  let left = tries

  async function removeParts(size: number | 'line') {
    for (let from = 0; from < smallest.length && left > 0; ) {
      left--
      const end = endOf(smallest, from, size)
      const shorter = Buffer.concat([smallest.subarray(0, from), smallest.subarray(end)])
      if (await fails(shorter)) smallest = shorter
      else from = end
    }
  }

  await removeParts('line')
  for (let size = Math.ceil(smallest.length / 2); size >= 1; size = Math.floor(size / 2))
    await removeParts(size)
  return smallest
}
