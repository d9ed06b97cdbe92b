import type Sqlite from 'better-sqlite3'

interface Unindexed {
  texts: string
  id: number
}

const itemTexts = (items: string, texts: string) => `
  insert into "${texts}" (rowid, "title", "description")
  select "id", "title", "description" from "${items}" where "id" = ?`

/** How the triggers fill the tables of trigrams, but with the whole texts. */
const inserts: Readonly<Record<string, string>> = {
  issueTexts: itemTexts('issues', 'issueTexts'),
  mergeRequestTexts: itemTexts('mergeRequests', 'mergeRequestTexts'),
  epicTexts: itemTexts('epics', 'epicTexts'),
  noteTexts: `
    insert into "noteTexts" (rowid, "body", "scope")
    select "id", "body", char(57344 + "projectId" / 40960000 % 6400,
      57344 + "projectId" / 6400 % 6400, 57344 + "projectId" % 6400)
    from "notes" where "id" = ? and "system" = 0 and "projectId" is not null`,
}

/** Whether a text waits to be indexed as a whole. */
export const findUnindexed = 'select "texts", "id" from "unindexedTexts" limit 1'

/**
 * Indexes a long text as a whole, of which its trigger has indexed the beginning. Takes up to some
 * seconds, for as many different trigrams as a text of a million characters can have.
 * @returns whether there was one
 */
export function indexLongText(connection: Sqlite.Database): boolean {
  const next = connection.prepare<[], Unindexed>(findUnindexed)
  const index = connection.transaction((): boolean => {
    const found = next.get()
    if (found === undefined) return false
    const { texts, id } = found
    connection.prepare(`delete from "${texts}" where rowid = ?`).run(id)
    const insert = inserts[texts]
    if (insert !== undefined) connection.prepare(insert).run(id)
    connection.prepare('delete from "unindexedTexts" where "texts" = ? and "id" = ?').run(texts, id)
    return true
  })
  return index.immediate()
}
