import type { ClientBase } from 'pg'

/** Commits what is done, or takes all of it back. */
export async function inTransaction<Result>(
  client: ClientBase,
  begin: string,
  act: () => Promise<Result>,
): Promise<Result> {
  await client.query(begin)
  try {
    const result = await act()
    await client.query('COMMIT')
    return result
  } catch (error) {
    // The connection may be what failed; then there is nothing to take back.
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}
