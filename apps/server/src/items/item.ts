import type { EpicRow, IssueRow, MergeRequestRow, Noteable, SnippetRow } from '@stithy/store'
import type { GroupSubject } from '../groups/group-subject.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'

/**
 * What people talk about, with the project or group that it is in, as the caller sees that: what todos,
 * mentions, awards, notes and quick actions are about.
 */
export type Item = IssueItem | MergeRequestItem | SnippetItem | CommitItem | EpicItem

export interface IssueItem {
  type: 'issue'
  row: IssueRow
  project: ProjectSubject
  /** Ids, in their order. */
  assigneeIds: readonly number[]
}

export interface MergeRequestItem {
  type: 'merge_request'
  row: MergeRequestRow
  project: ProjectSubject
  /** Ids, in their order. */
  assigneeIds: readonly number[]
}

export interface SnippetItem {
  type: 'snippet'
  row: SnippetRow
  /** Undefined for a personal one. */
  project: ProjectSubject | undefined
}

export interface CommitItem {
  type: 'commit'
  /** In full. */
  commitId: string
  /** Its first line. */
  title: string
  project: ProjectSubject
}

export interface EpicItem {
  type: 'epic'
  row: EpicRow
  group: GroupSubject
}

/** What takes labels, assignees, milestones, time and quick actions. */
export type WorkItem = IssueItem | MergeRequestItem

/** The item as notes know it. */
export function noteableOf(item: Item): Noteable {
  if (item.type === 'commit') {
    return { type: 'commit', projectId: item.project.row.id, commitId: item.commitId }
  }
  if (item.type === 'epic') return { type: 'epic', id: item.row.id, projectId: null }
  return { type: item.type, id: item.row.id, projectId: item.project?.row.id ?? null }
}
