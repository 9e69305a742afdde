import fc from 'fast-check'

// Property tests take other cases in each run, and print the seed of one that fails. FAST_CHECK_SEED gives the cases of a seed again:
// `.ci/run` uses one seed for all; contributors run others, which find more.
const seed = process.env.FAST_CHECK_SEED
if (seed) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })
