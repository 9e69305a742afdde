// For engines that know a service by the exit code of a command, in an image without curl: 0 when this machine's service can answer.
const { PORT = '3000' } = process.env
const answered = await fetch(`http://127.0.0.1:${PORT}/readyz`).catch(() => undefined)
process.exitCode = answered?.ok ? 0 : 1
