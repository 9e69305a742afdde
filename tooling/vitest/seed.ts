import fc from 'fast-check'

// Property tests take other cases in each run, and print the seed of one that fails. FAST_CHECK_SEED gives the cases of a seed again:
// what has to pass before a change lands is the same for everybody, what contributors run finds more.
const seed = process.env.FAST_CHECK_SEED
if (seed) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })
