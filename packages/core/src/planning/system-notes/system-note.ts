import type { NoteableType } from '../notes/note.schema.ts'

/**
 * What a system note refers to: the note is visible only to users who can see the source, and is
 * deleted with it.
 */
export interface SystemNoteSource {
  /** `code` is a branch. */
  type: NoteableType | 'code'
  /** The id, the full hash of a commit, or the name of a branch. */
  key: string
  /** Null outside of projects. Stays set when the project is deleted. */
  projectId: number | null
}

/** A user. The username from when the note was written is shown after the user is deleted. */
export interface SystemNoteUser {
  id: number
  username: string
}

/** A milestone. Project milestones are referred to by `iid`, group milestones by title. */
export interface SystemNoteMilestone {
  id: number
  iid: number
  /**
   * Null for a project milestone. The title from when the note was written is shown when the
   * milestone is deleted or not accessible from the project.
   */
  title: string | null
}

/** A commit of a push to the source branch of a merge request. */
export interface AddedCommit {
  sha: string
  title: string
}

/** An action without parameters. */
type Plain = object

/** Why a merge request is no longer merged when its pipeline succeeds. */
export type AutoMergeAbort = 'source_updated' | 'target_changed' | 'closed'

/** The parameters of each action, besides the source. Dates are `YYYY-MM-DD`. */
export interface SystemNoteParams<Source> {
  /** The source is the commit or merge request that closed it, if one did. */
  closed: Plain
  reopened: Plain
  merged: Plain
  title_changed: { from: string; to: string }
  description_changed: Plain
  task_marked: { text: string; done: boolean }
  assignees_changed: { added: readonly SystemNoteUser[]; removed: readonly SystemNoteUser[] }
  milestone_changed: { milestone: SystemNoteMilestone | null }
  due_date_changed: { to: string | null }
  /** Of an epic. */
  epic_date_changed: { date: 'start' | 'due'; to: string | null }
  weight_changed: { to: number | null }
  confidentiality_changed: { confidential: boolean }
  lock_changed: { locked: boolean }
  /** Zero seconds remove the estimate. */
  time_estimate_changed: { seconds: number }
  /** Negative seconds are subtracted. Without a date, it was spent on the day of the note. */
  time_spent_changed: { seconds: number; on?: string | undefined }
  time_spent_removed: Plain
  moved_to: { source: Source }
  moved_from: { source: Source }
  /** On an issue: the source is the epic. */
  promoted_to: { source: Source }
  /** On an epic: the source is the issue. */
  promoted_from: { source: Source }
  /** The source is the issue that this one duplicates. */
  duplicate_of: { source: Source }
  /** The source is the duplicate of this issue. */
  duplicated_by: { source: Source }
  related: { source: Source }
  unrelated: { source: Source }
  /** On issues: the source is the epic. */
  epic_added: { source: Source }
  epic_changed: { source: Source }
  epic_removed: { source: Source }
  /** On epics: the source is the issue. */
  issue_added: { source: Source }
  issue_removed: { source: Source }
  /** On epics: the source is the other epic. */
  child_epic_added: { source: Source }
  child_epic_removed: { source: Source }
  parent_epic_added: { source: Source }
  parent_epic_removed: { source: Source }
  mentioned_in: { source: Source }
  /** The source is the branch; `target` is the branch to compare it with. */
  branch_created: { source: Source; target: string }
  merge_request_created: { source: Source }
  source_branch_deleted: { branch: string }
  source_branch_restored: { branch: string }
  /** The source is the merge request itself. */
  commits_added: {
    source: Source
    /** Newest first; of many, the newest. */
    commits: readonly AddedCommit[]
    /** Of all. */
    count: number
    /** The version that they made. */
    versionId: number
    /** The previous head. */
    startSha: string
  }
  /** In an outdated thread of a diff; the source is the merge request itself. */
  diff_line_changed: {
    source: Source
    /** An image is outdated as a whole. */
    of: 'line' | 'file'
    /** The number of the version, from 1, and its id. */
    version: number
    versionId: number
    /** The previous head; undefined if it is the same. */
    startSha?: string | undefined
    /** Identifies the changed line or file in the diff from `startSha`. */
    anchor?: string | undefined
  }
  target_branch_changed: { from: string; to: string }
  work_in_progress_changed: {
    marked: boolean
    /** The full hash of the pushed commit that marked it, if one did. */
    sha?: string | undefined
  }
  threads_resolved: Plain
  approved: Plain
  unapproved: Plain
  /** The full hash of the commit whose pipeline must succeed. */
  auto_merge_enabled: { sha: string }
  auto_merge_canceled: Plain
  auto_merge_aborted: { reason: AutoMergeAbort }
}

export type SystemNoteAction = keyof SystemNoteParams<unknown>

/**
 * A recorded change of an item, as data, from which `renderSystemNote` makes the text when the note
 * is read. A note that mentions a resource of another project always has a source.
 */
export type SystemNote<Source = SystemNoteSource> = {
  [Action in SystemNoteAction]: {
    action: Action
    source?: Source | undefined
  } & SystemNoteParams<Source>[Action]
}[SystemNoteAction]

/** Serializes the parameters of a system note to JSON; equal notes have equal texts. */
export function systemNoteParams(note: SystemNote): string {
  const { action: _, source: __, ...params } = note
  return JSON.stringify(params)
}

/** Parses stored parameters, which are not validated, and adds the source. */
export function systemNoteOf<Source>(
  { action, params }: { action: SystemNoteAction; params: string },
  source: Source | undefined,
): SystemNote<Source> {
  return { ...JSON.parse(params), action, source }
}

/** The system note for setting or removing a milestone. */
export function milestoneSystemNote(
  milestone: { id: number; iid: number; title: string; groupId: number | null } | null,
): { action: 'milestone_changed'; milestone: SystemNoteMilestone | null } {
  if (milestone === null) return { action: 'milestone_changed', milestone }
  const { id, iid, title, groupId } = milestone
  const noted = { id, iid, title: groupId === null ? null : title }
  return { action: 'milestone_changed', milestone: noted }
}
