import type { Kysely } from 'kysely'
import { createAwards } from './0010/awards.ts'
import { createBoards } from './0010/boards.ts'
import { createEpics } from './0010/epics.ts'
import { indexEventTargets } from './0010/events.ts'
import { createIssueIndices } from './0010/issue-indices.ts'
import { createIssueTexts } from './0010/issue-texts.ts'
import { createIssues } from './0010/issues.ts'
import { indexQueues } from './0010/jobs.ts'
import { createLabelTotals } from './0010/label-totals.ts'
import { createLabels } from './0010/labels.ts'
import { extendMergeRequests } from './0010/merge-requests.ts'
import { createMilestones } from './0010/milestones.ts'
import { createNotificationSettings } from './0010/notifications.ts'
import { createSnippets } from './0010/snippets.ts'
import { createTodos } from './0010/todos.ts'
import { createTools } from './tools.ts'

/** Issues, and what they and merge requests are planned with. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const tools = createTools(db, dialect)
  await createMilestones(tools)
  await createLabels(tools)
  await createEpics(tools)
  await createIssues(tools)
  await createIssueIndices(db, tools)
  await createIssueTexts(db, dialect)
  await extendMergeRequests(db, tools)
  await createLabelTotals(db, tools, dialect)
  await createBoards(tools)
  await createAwards(tools)
  await createTodos(tools)
  await createSnippets(tools)
  await createNotificationSettings(tools)
  await indexEventTargets(db, tools)
  await indexQueues(db, tools)
}
