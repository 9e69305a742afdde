/** A timestamp as Prisma's SQLite adapter writes it; raw SQL has to write the same, or comparisons of text go wrong. */
export const sqliteDateTime = (date: Date): string => date.toISOString().replace('Z', '+00:00')
