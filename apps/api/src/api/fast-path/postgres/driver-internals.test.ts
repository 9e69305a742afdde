import { Socket } from 'node:net'
import { expect, inject, onTestFinished, test } from 'vitest'
import { temporaryDatabase } from '../../../../test/support/postgres-databases.ts'
import { readAddress } from '../../../db/postgres/address.ts'
import { openConnection } from '../../../db/postgres/connection.ts'
import { shareConnection } from './shared-connection.ts'

test('what pg does not document does what is said of it', async () => {
  const { url, remove } = await temporaryDatabase(inject('postgresUrl'), { empty: true })
  const client = await openConnection(readAddress(url), { lockTimeoutMs: 50, pipeline: true })
  onTestFinished(async () => {
    await client.end()
    await remove()
  })
  const { stream } = client.connection
  if (!(stream instanceof Socket)) throw new Error('not a socket')
  const messages: string[] = []
  for (const name of ['rowDescription', 'dataRow', 'commandComplete'])
    client.connection.on(name, () => messages.push(name))
  const { query } = shareConnection(client)
  const ask = (name: string | undefined) => query({ name, text: 'SELECT $1::int, true, NULL', values: ['7'] })

  const answers = Promise.all([ask('named'), ask(undefined), ask('named')])
  const sent = stream.bytesWritten - stream.writableLength
  expect([stream.writableCorked, stream.writableLength > 0]).toEqual([1, true])
  await new Promise(setImmediate)
  expect([stream.writableCorked, stream.bytesWritten - stream.writableLength > sent]).toEqual([0, true])

  // Texts, although pg would parse them: the handler of rows is ours.
  expect(await answers).toEqual(Array(3).fill([['7', 't', null]]))
  // No row was described.
  expect(messages).toEqual(Array(3).fill(['dataRow', 'commandComplete']).flat())
})
