import { projectAction, projectPage } from '../../platform/routing/route.ts'
import { showIssues } from './issue-list-page.ts'
import { createIssue, showNewIssue } from './new-issue-page.ts'

export const issueRoutes = [
  projectPage('issues', showIssues),
  projectPage('issues/new', showNewIssue),
  projectAction('issues', createIssue),
]
