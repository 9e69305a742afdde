import { connect } from 'node:net'
import { type Answer, parseAnswers } from './client.ts'
import { changeIn } from './database.ts'
import { startService, type TestService } from './harness.ts'
import { records } from './records.ts'

type Ask = (service: TestService) => Promise<Answer>

/** Asks a service of its own, which may be broken on the way. */
export const broken =
  (ask: (service: TestService) => Promise<Answer>, more: Record<string, string> = {}): Ask =>
  async ({ env }) => {
    const own = await startService({
      records,
      env: { ...env, ...more },
      timeouts: { headers: 150, request: 300, response: 30_000, idle: 65_000 },
    })
    try {
      return await ask(own)
    } finally {
      await own.close()
    }
  }

/** Changes the database from outside, as nothing of the service would. */
export const sql = (service: Pick<TestService, 'opened'>, text: string) => changeIn(service, text)

/** Writes bytes and waits for the service to lose its patience. */
export const stall = (bytes: string) =>
  broken(
    (service) =>
      new Promise((resolve, reject) => {
        const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(bytes))
        let text = ''
        socket.on('data', (chunk) => {
          text += chunk
        })
        socket.on('error', reject)
        socket.on('close', () => resolve(parseAnswers(text)[0]!))
      }),
  )
