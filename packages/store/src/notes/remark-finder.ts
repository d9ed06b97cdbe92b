import type { Queries } from '../queries.ts'

/** Whether the program has remarked exactly this on an issue. */
export async function hasIssueRemark(
  q: Queries,
  args: { issueId: number; body: string },
): Promise<boolean> {
  const row = await q.first('notes.remarked', args, (db, $) =>
    db
      .selectFrom('notes')
      .select('notes.id')
      .where('notes.noteableType', '=', 'issue')
      .where('notes.noteableId', '=', $('issueId'))
      .where('notes.system', '=', 1)
      .where('notes.body', '=', $('body'))
      .limit(1),
  )
  return row !== undefined
}
