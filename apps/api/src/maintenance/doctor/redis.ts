import { type Finding, findingsOf } from './finding.ts'

const refusals = ['NOAUTH', 'WRONGPASS', 'NOPERM']

/** Whether the server of shared limits answers; nothing is limited while it does not. */
export async function checkRedis(url: string): Promise<Finding[]> {
  const { problem, all } = findingsOf('redis')
  const { askRedis } = await import('../../rate-limit/redis.ts')
  const cause = await askRedis(url)
  if (cause !== undefined && refusals.includes(cause))
    problem(
      `Redis refuses REDIS_URL (${cause})`,
      'correct its user or password: until then nothing is limited',
    )
  else if (cause !== undefined)
    problem(
      `Redis does not answer (${cause})`,
      'start it, or correct REDIS_URL: until it answers nothing is limited',
    )
  return all('Redis answers')
}
