import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { permitted } from '../../platform/routing/permitted.ts'
import {
  groupPage,
  instancePage,
  projectAction,
  projectPage,
  type Route,
} from '../../platform/routing/route.ts'
import { discussionRoutes } from '../discussions/discussion-routes.ts'
import { bulkUpdate } from './bulk-edit.ts'
import { editIssue, showEditIssue, showIssueDescription } from './edit-issue-page.ts'
import {
  addLink,
  addTodo,
  changeIssue,
  changeIssueState,
  changeTask,
  deleteIssue,
  moveIssue,
  removeLink,
  subscribe,
  trackTime,
  unsubscribe,
} from './issue-actions.ts'
import { showIssues } from './issue-list-page.ts'
import { issuePage, noteableOf, showIssue } from './issue-page.ts'
import { createIssue, showNewIssue } from './new-issue-page.ts'
import { showGroupIssues, showOwnIssues } from './wide-issue-pages.ts'

const mayCreate = (call: PageCall) => call.permits.issues.create({ projectId: projectPath(call) })

/** A change of a hidden issue is forbidden in the API, as v4 clients expect; its page doesn't exist. */
async function mayUpdate(call: PageCall): Promise<void> {
  const issue = { projectId: projectPath(call), issueIid: rowId(call, 'iid') }
  await call.permits.issues.update(issue).catch(async (error: unknown) => {
    await call.client.issues.show(issue)
    throw error
  })
}

export const issueRoutes: readonly Route[] = [
  projectPage('issues', showIssues),
  projectPage('issues/new', permitted(mayCreate, showNewIssue)),
  projectAction('issues', createIssue),
  projectAction('issues/bulk_update', bulkUpdate),
  groupPage('issues', showGroupIssues),
  instancePage('dashboard/issues', showOwnIssues),
  projectPage('issues/:iid', showIssue),
  projectAction('issues/:iid', changeIssue),
  projectPage('issues/:iid/edit', permitted(mayUpdate, showEditIssue)),
  projectAction('issues/:iid/edit', editIssue),
  projectAction('issues/:iid/tasks', changeTask),
  projectAction('issues/:iid/time', trackTime),
  projectAction('issues/:iid/subscribe', subscribe),
  projectAction('issues/:iid/unsubscribe', unsubscribe),
  projectAction('issues/:iid/todo', addTodo),
  projectAction('issues/:iid/links', addLink),
  projectAction('issues/:iid/links/:link_id/delete', removeLink),
  projectAction('issues/:iid/move', moveIssue),
  projectAction('issues/:iid/delete', deleteIssue),
  projectPage('issues/:iid/description', showIssueDescription),
  ...discussionRoutes(projectAction, projectPage, 'issues/:iid', {
    noteable: noteableOf,
    show: issuePage,
    changeState: changeIssueState,
  }),
]
