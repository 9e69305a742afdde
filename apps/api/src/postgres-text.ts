/** Values of PostgreSQL from their text, as an SQLite file holds them. */
export const parseBool = (text: string) => (text === 't' ? 1 : 0)

/** `2024-04-27 12:00:00.5+00`, of a session in UTC, in milliseconds since 1970. */
export const parseTimestamptz = (text: string) => Date.parse(`${text.replace(' ', 'T')}:00`)
