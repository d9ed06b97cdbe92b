import { DomainError, type issueListsContract } from '@stithy/core'
import type { Handlers } from '../../http/call.ts'
import { pageOfIssues } from './issue-list.service.ts'
import { groupPlace, projectPlace, wholePlace } from './issue-place.ts'
import { issueStatistics } from './issue-statistics.service.ts'

export const issueListHandlers: Handlers<typeof issueListsContract> = {
  async list({ app, caller, query, page }) {
    const scope = query.scope ?? 'created_by_me'
    return pageOfIssues(app, caller, wholePlace(query), { ...query, scope }, page)
  },

  async listOfGroup({ app, caller, subject, query, page }) {
    return pageOfIssues(app, caller, groupPlace(subject, query), query, page)
  },

  async listOfProject({ app, caller, subject, query, page }) {
    return pageOfIssues(app, caller, projectPlace(caller, subject), query, page)
  },

  async statistics({ app, caller, query }) {
    const { scope = 'created_by_me' } = query
    if (caller.user === null && scope !== 'all') throw new DomainError('unauthorized')
    return issueStatistics(app, caller, wholePlace(query), { ...query, scope })
  },

  async statisticsOfGroup({ app, caller, subject, query }) {
    return issueStatistics(app, caller, groupPlace(subject, query), query)
  },

  async statisticsOfProject({ app, caller, subject, query }) {
    return issueStatistics(app, caller, projectPlace(caller, subject), query)
  },
}
