import { sql } from 'kysely'
import type { Tools } from '../tools.ts'

/**
 * The issues of epics. A trigger keeps the milestone of each issue beside its link: the dates of an
 * epic follow from the milestones of its issues, and reading each of 10,000 issues for them would take
 * 25 ms instead of one.
 */
export async function createEpicIssues(t: Tools): Promise<void> {
  await t.table('epicIssues', {
    id: t.id(),
    epicId: t.parent('epics'),
    issueId: t.parent('issues'),
    milestoneId: t.referenceOrNull('milestones'),
    relativePosition: t.long(),
    createdAt: t.long(),
  })
  await t.unique('epicIssues', 'issueId')
  await t.index('epicIssues', 'epicId', 'relativePosition', 'id')
  await t.index('epicIssues', 'epicId', 'milestoneId')
  await t.index('epicIssues', 'milestoneId', 'epicId')
  await createMilestoneTrigger(t)
}

async function createMilestoneTrigger({ db, dialect }: Tools): Promise<void> {
  const update = sql`update "epicIssues" set "milestoneId" = new."milestoneId"
    where "issueId" = new."id";`
  const event = sql`after update of "milestoneId" on "issues" for each row`
  if (dialect === 'sqlite') {
    await sql`create trigger "issues_epicIssues_milestone" ${event}
      when old."milestoneId" is not new."milestoneId" begin ${update} end`.execute(db)
    return
  }
  await sql`create function "issues_epicIssues_milestone"() returns trigger language plpgsql as $$
    begin ${update} return null; end $$`.execute(db)
  await sql`create trigger "issues_epicIssues_milestone" ${event}
    when (old."milestoneId" is distinct from new."milestoneId")
    execute function "issues_epicIssues_milestone"()`.execute(db)
}
