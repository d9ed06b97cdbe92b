import type { PagePromise } from '@stithy/client'
import type { BurndownEvent, Issue, MergeRequest, Milestone } from '@stithy/core'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { withoutDescriptions } from '../../platform/pages/without-descriptions.ts'

interface PageOf {
  page?: number
  per_page?: number
}

interface MilestoneFields {
  title?: string
  description?: string
  start_date?: string | null
  due_date?: string | null
  state_event?: 'close' | 'activate'
}

interface MilestoneFilter extends PageOf {
  state?: 'active' | 'closed' | 'all'
  search?: string
  max_description_length?: number
  iids?: number[]
}

/** The calls of the milestones of a project or group; ids are global. */
export interface MilestoneCalls {
  list: (query: MilestoneFilter) => PagePromise<Milestone>
  create: (milestone: MilestoneFields & { title: string }) => Promise<Milestone>
  update: (id: number, milestone: MilestoneFields) => Promise<Milestone>
  remove: (id: number) => Promise<unknown>
  issues: (id: number, query: PageOf) => PagePromise<Issue>
  mergeRequests: (id: number, query: PageOf) => PagePromise<MergeRequest>
  burndown: (id: number, query: PageOf) => PagePromise<BurndownEvent>
  /** Absent in groups. */
  promote?: (id: number) => Promise<unknown>
}

export function milestoneCalls({
  client: { milestones },
  params,
}: Pick<PageCall, 'client' | 'params'>): MilestoneCalls {
  const { project: projectId, group: groupId = '' } = params
  const owner = projectId === undefined ? { groupId } : { projectId }
  return {
    list: (query) => milestones.list({ ...owner, ...query }),
    create: (milestone) => milestones.create({ ...owner, ...milestone }),
    update: (milestoneId, milestone) => milestones.update({ ...owner, milestoneId, ...milestone }),
    remove: (milestoneId) => milestones.delete({ ...owner, milestoneId }),
    issues: (milestoneId, query) =>
      milestones.issues({ ...owner, milestoneId, ...query, ...withoutDescriptions }),
    mergeRequests: (milestoneId, query) =>
      milestones.mergeRequests({ ...owner, milestoneId, ...query, ...withoutDescriptions }),
    burndown: (milestoneId, query) =>
      milestones.burndownEvents({ ...owner, milestoneId, ...query }),
    ...(projectId !== undefined && {
      promote: (milestoneId: number) => milestones.promote({ projectId, milestoneId }),
    }),
  }
}
