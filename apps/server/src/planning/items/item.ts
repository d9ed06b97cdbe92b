import type { EpicRow, IssueRow, MergeRequestRow, Noteable, SnippetRow } from '@stithy/store'
import type { CommitSubject } from '../../code/commits/commit-subject.ts'
import type { GroupSubject } from '../../directory/groups/group-subject.ts'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'

/**
 * The target of todos, mentions, awards, notes and quick actions, with its project or group as the
 * caller sees it.
 */
export type Item = IssueItem | MergeRequestItem | SnippetItem | CommitItem | EpicItem

export interface IssueItem {
  type: 'issue'
  row: IssueRow
  project: ProjectSubject
  /** Ids, in the order of assignment. */
  assigneeIds: readonly number[]
}

export interface MergeRequestItem {
  type: 'merge_request'
  row: MergeRequestRow
  project: ProjectSubject
  /** Ids, in the order of assignment. */
  assigneeIds: readonly number[]
}

export interface SnippetItem {
  type: 'snippet'
  row: SnippetRow
  /** Undefined for a personal one. */
  project: ProjectSubject | undefined
}

export interface ProjectSnippetItem extends SnippetItem {
  project: ProjectSubject
}

export type CommitItem = CommitSubject

export interface EpicItem {
  type: 'epic'
  row: EpicRow
  group: GroupSubject
}

type DraftColumns =
  | 'projectId'
  | 'authorId'
  | 'title'
  | 'description'
  | 'state'
  | 'discussionLocked'
  | 'milestoneId'

/** An issue that may not be stored yet: without id and iid. */
export interface IssueDraft extends Omit<IssueItem, 'row'> {
  row: Pick<IssueRow, DraftColumns | 'confidential'>
}

/** A merge request that may not be stored yet: without id and iid. */
export interface MergeRequestDraft extends Omit<MergeRequestItem, 'row'> {
  row: Pick<MergeRequestRow, DraftColumns | 'sourceProjectId' | 'sourceBranch' | 'targetBranch'>
}

/** An epic that may not be stored yet: without id and iid. */
export interface EpicDraft extends Omit<EpicItem, 'row'> {
  row: Pick<EpicRow, 'groupId' | 'authorId' | 'title' | 'description' | 'state'>
}

export type WorkItemDraft = IssueDraft | MergeRequestDraft
export type PlannedItemDraft = WorkItemDraft | EpicDraft

/** An item that is stored or about to be. */
export type ItemDraft = Exclude<Item, PlannedItem> | PlannedItemDraft

/** An item of a project, with assignees, a milestone and tracked time. */
export type WorkItem = IssueItem | MergeRequestItem

/** Where an item is: in a project, or, as an epic, in a group. */
export type ItemPlace = { project: ProjectSubject } | { group: GroupSubject }

/** An item with states, labels and quick actions. */
export type PlannedItem = WorkItem | EpicItem

/** Whether an item is stored already. */
export function isStored<I extends PlannedItem>(item: I | PlannedItemDraft): item is I {
  return 'id' in item.row
}

/** The item as the noteable of notes. */
export function noteableOf(item: Item): Noteable {
  if (item.type === 'commit') {
    return { type: 'commit', projectId: item.project.row.id, commitId: item.commitId }
  }
  if (item.type === 'epic') return { type: 'epic', id: item.row.id, projectId: null }
  return { type: item.type, id: item.row.id, projectId: item.project?.row.id ?? null }
}
