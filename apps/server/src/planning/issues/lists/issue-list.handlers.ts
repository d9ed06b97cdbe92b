import { DomainError, type issueListsContract } from '@stithy/core'
import type { Handlers } from '../../../platform/http/call.ts'
import { loadIssuesPage } from './issue-list.service.ts'
import { groupScope, instanceScope, projectScope } from './issue-list-scope.ts'
import { issueStatistics } from './issue-statistics.service.ts'

export const issueListHandlers: Handlers<typeof issueListsContract> = {
  async list({ app, caller, query, page }) {
    const scope = query.scope ?? 'created_by_me'
    return loadIssuesPage(app, caller, instanceScope(query), { ...query, scope }, page)
  },

  async listOfGroup({ app, caller, subject, query, page }) {
    return loadIssuesPage(app, caller, groupScope(subject, query), query, page)
  },

  async listOfProject({ app, caller, subject, query, page }) {
    return loadIssuesPage(app, caller, projectScope(caller, subject), query, page)
  },

  async statistics({ app, caller, query }) {
    const { scope = 'created_by_me' } = query
    if (caller.user === null && scope !== 'all') throw new DomainError('unauthorized')
    return issueStatistics(app, caller, instanceScope(query), { ...query, scope })
  },

  async statisticsOfGroup({ app, caller, subject, query }) {
    return issueStatistics(app, caller, groupScope(subject, query), query)
  },

  async statisticsOfProject({ app, caller, subject, query }) {
    return issueStatistics(app, caller, projectScope(caller, subject), query)
  },
}
