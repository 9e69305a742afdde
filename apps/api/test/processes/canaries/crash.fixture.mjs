// Makes a process fail unexpectedly, with errors that contain secrets: SIGUSR2 throws, SIGHUP rejects.

const { CANARY = '' } = process.env

const failure = () =>
  Object.assign(
    new Error(`cannot ${CANARY}\n    at ${CANARY} (${CANARY}:1:1)`, { cause: new Error(CANARY) }),
    {
      code: 'E_CRASH',
      parameters: [CANARY],
    },
  )

process.on('SIGUSR2', () => {
  throw failure()
})
process.on('SIGHUP', () => {
  void Promise.reject(failure())
})
