import type { ItemRow } from './item-shape.ts'
import {
  commonLists,
  type ItemSql,
  type ItemTable,
  listsOf,
  memberOf,
  own,
  wideListsOf,
} from './item-sql.ts'

/** A row of the queries below. */
export interface MergeRequestRow extends ItemRow {
  targetBranch: string
  sourceProjectId: number | null
  sourceBranch: string
  workInProgress: 0 | 1
  mergeStatus: string
  headSha: string
  mergeCommitSha: string | null
  mergedById: number | null
  mergedAt: number | null
  mergeWhenPipelineSucceeds: 0 | 1
  squash: 0 | 1
  shouldRemoveSourceBranch: 0 | 1 | null
  forceRemoveSourceBranch: 0 | 1
  allowCollaboration: 0 | 1
}

const columns = `id projectId iid authorId title description state discussionLocked milestoneId
  targetBranch sourceProjectId sourceBranch workInProgress mergeStatus headSha mergeCommitSha
  mergedById mergedAt mergeWhenPipelineSucceeds squash shouldRemoveSourceBranch
  forceRemoveSourceBranch allowCollaboration timeEstimate totalTimeSpent userNotesCount upvotes
  downvotes taskCount taskDoneCount closedById closedAt createdAt updatedAt`

const links = { assignees: 'mergeRequestAssignees', assigned: 'mergeRequestId' } as const

const visible = `p."deletedAt" is null
  and p."repositoryAccessLevel" <> 'disabled' and p."mergeRequestsAccessLevel" <> 'disabled'
  and (p."repositoryAccessLevel" = 'enabled' and p."mergeRequestsAccessLevel" = 'enabled'
      and p.visibility in ('public', 'internal')
    or ${memberOf(20)}
    or ${own(links)} and ${memberOf(10)})`

export const mergeRequestTable: ItemTable = {
  items: 'mergeRequests',
  type: 'merge_request',
  ...links,
  texts: 'mergeRequestTexts',
  columns: columns.split(/\s+/),
  visible,
}

const { same, byIndex } = listsOf(mergeRequestTable)

/** The merge requests that list the user as an approver, by their own rules or their project's. */
const approvable = `select r."mergeRequestId" from "approvalRuleUsers" u
    join "approvalRules" r on r.id = u."ruleId"
    where u."userId" = +:value and r."mergeRequestId" is not null
  union select o.id from "approvalRuleUsers" u
    join "approvalRules" r on r.id = u."ruleId"
    join "mergeRequests" o on o."projectId" = r."projectId"
    where u."userId" = +:value and not exists (select 1 from "approvalRules" n
      where n."mergeRequestId" = o.id
        and (n."sourceRuleId" = r.id or n.kind = 'fallback' and r.kind = 'fallback'))`

export const mergeRequestSql: ItemSql = {
  projectLists: {
    ...commonLists(mergeRequestTable),
    wip: same('and i."workInProgress" = (+:value = \'yes\')'),
    source_branch: same('and i."sourceBranch" = +:value'),
    target_branch: same('and +i."targetBranch" = +:value'),
    approver_ids: byIndex(`and i.id in (${approvable})`),
  },
  wideLists: wideListsOf(mergeRequestTable),
}
