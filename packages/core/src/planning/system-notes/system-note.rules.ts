import { shortId } from '../../code/commits/commit.rules.ts'
import { lazy } from '../../platform/lazy.ts'
import { humanDuration } from '../items/duration.rules.ts'
import { markTitleChange } from '../items/title-diff.rules.ts'
import type { NoteableType } from '../notes/note.schema.ts'
import type {
  AutoMergeAbort,
  SystemNote,
  SystemNoteAction,
  SystemNoteMilestone,
  SystemNoteSource,
  SystemNoteUser,
} from './system-note.ts'

/** The source of a system note with its current names. */
export interface NamedSource {
  type: SystemNoteSource['type']
  /** `iid`, the id of a snippet, the full hash of a commit, or the name of a branch. */
  id: number | string
  /** Full path of the project or, for an epic, of the group; null for a personal snippet. */
  path: string | null
  /** Whether the noteable is in the same project or, for an epic, in the same group. */
  isNear: boolean
}

/** Current names of what system notes refer to by id. */
export interface SystemNoteNames {
  /** The type of the item that the note is on. */
  noteableType: NoteableType
  /** URL of the web application, without a trailing slash. */
  webUrl: string
  /** Undefined when the user was deleted. */
  username(id: number): string | undefined
  /** The title of a group's milestone; undefined when it was deleted or is not accessible. */
  milestoneTitle(id: number): string | undefined
}

type Note<Action extends SystemNoteAction> = Extract<SystemNote<NamedSource>, { action: Action }>

const abortReasons: Record<AutoMergeAbort, string> = {
  source_updated: 'source branch was updated',
  target_changed: 'target branch was changed',
  closed: 'merge request was closed',
}

/** The exact text of each action, as v4 clients expect it. */
export const systemNoteActions: {
  [Action in SystemNoteAction]: (note: Note<Action>, names: SystemNoteNames) => string
} = {
  closed: ({ source }) => (source === undefined ? 'closed' : `closed via ${typed(source)}`),
  reopened: () => 'reopened',
  merged: () => 'merged',
  title_changed({ from, to }) {
    const marked = markTitleChange(from, to)
    return `changed title from **${marked.from}** to **${marked.to}**`
  },
  description_changed: () => 'changed the description',
  task_marked: ({ text, done }) =>
    `marked the task **${text}** as ${done ? 'completed' : 'incomplete'}`,
  assignees_changed({ added, removed }, names) {
    const parts = [
      ...(added.length === 0 ? [] : [`assigned to ${sentence(added, names)}`]),
      ...(removed.length === 0 ? [] : [`unassigned ${sentence(removed, names)}`]),
    ]
    return parts.join(' and ')
  },
  milestone_changed({ milestone, source }, names) {
    if (milestone === null) return 'removed milestone'
    const path = source === undefined ? '' : relativePath(source)
    return `changed milestone to ${path}${milestoneReference(milestone, names)}`
  },
  due_date_changed: ({ to }) =>
    to === null ? 'removed due date' : `changed due date to ${longDate(to)}`,
  epic_date_changed: ({ date, to }) =>
    to === null ? `removed the ${date} date` : `changed ${date} date to ${mediumDate(to)}`,
  weight_changed: ({ to }) => (to === null ? 'removed the weight' : `changed weight to **${to}**`),
  confidentiality_changed: ({ confidential }) =>
    confidential ? 'made the issue confidential' : 'made the issue visible to everyone',
  // An epic, which can't be locked, has it from the issue that it was made of.
  lock_changed: ({ locked }, { noteableType }) =>
    `${locked ? 'locked' : 'unlocked'} this ${typeName(noteableType === 'epic' ? 'issue' : noteableType)}`,
  time_estimate_changed({ seconds }) {
    const estimate = humanDuration(seconds)
    return estimate === null ? 'removed time estimate' : `changed time estimate to ${estimate}`
  },
  time_spent_changed({ seconds, on }) {
    const verb = seconds < 0 ? 'subtracted' : 'added'
    const date = on === undefined ? '' : ` at ${on}`
    return `${verb} ${humanDuration(Math.abs(seconds))} of time spent${date}`
  },
  time_spent_removed: () => 'removed time spent',
  moved_to: ({ source }) => `moved to ${absolute(source)}`,
  moved_from: ({ source }) => `moved from ${absolute(source)}`,
  promoted_to: ({ source }) => `promoted to ${typed(source)}`,
  promoted_from: ({ source }) => `promoted from ${typed(source)}`,
  duplicate_of: ({ source }) => `marked this issue as a duplicate of ${relative(source)}`,
  duplicated_by: ({ source }) => `marked ${relative(source)} as a duplicate of this issue`,
  related: ({ source }) => `marked this issue as related to ${relative(source)}`,
  unrelated: ({ source }) => `removed the relation with ${relative(source)}`,
  epic_added: ({ source }) => `added to epic ${relative(source)}`,
  epic_changed: ({ source }) => `changed epic to ${relative(source)}`,
  epic_removed: ({ source }) => `removed from epic ${relative(source)}`,
  issue_added: ({ source }) => `added issue ${relative(source)}`,
  issue_removed: ({ source }) => `removed issue ${relative(source)}`,
  child_epic_added: ({ source }) => `added epic ${relative(source)} as child epic`,
  child_epic_removed: ({ source }) => `removed child epic ${relative(source)}`,
  parent_epic_added: ({ source }) => `added epic ${relative(source)} as parent epic`,
  parent_epic_removed: ({ source }) => `removed parent epic ${relative(source)}`,
  mentioned_in: ({ source }) => `mentioned in ${typed(source)}`,
  branch_created({ source, target }, { webUrl }) {
    const link = `${webUrl}/${source.path}/compare/${encodeURI(`${target}...${source.id}`)}`
    return `created branch [\`${source.id}\`](${link}) to address this issue`
  },
  merge_request_created: ({ source }) =>
    `created merge request ${relative(source)} to address this issue`,
  commits_added({ source, commits, count, versionId, startSha }, { webUrl }) {
    const items = commits.map(({ sha, title }) => `<li>${shortId(sha)} - ${escapeHtml(title)}</li>`)
    const more = count > commits.length ? `<li>... and ${count - commits.length} more</li>` : ''
    const link = versionUrl(source, webUrl, { versionId, startSha })
    const noun = count === 1 ? 'commit' : 'commits'
    return `added ${count} ${noun}\n\n<ul>${items.join('')}${more}</ul>\n\n[Compare with previous version](${link})`
  },
  diff_line_changed({ source, of, version, versionId, startSha, anchor }, { webUrl }) {
    const link = versionUrl(source, webUrl, { versionId, startSha })
    const hash = anchor === undefined ? '' : `#${anchor}`
    return `changed this ${of} in [version ${version} of the diff](${link}${hash})`
  },
  source_branch_deleted: ({ branch }) => `deleted source branch \`${branch}\``,
  source_branch_restored: ({ branch }) => `restored source branch \`${branch}\``,
  target_branch_changed: ({ from, to }) => `changed target branch from \`${from}\` to \`${to}\``,
  work_in_progress_changed: ({ marked, sha }) =>
    `${marked ? 'marked' : 'unmarked'} as a **Work In Progress**${sha === undefined ? '' : ` from ${sha}`}`,
  threads_resolved: () => 'resolved all threads',
  approved: () => 'approved this merge request',
  unapproved: () => 'unapproved this merge request',
  auto_merge_enabled: ({ sha }) =>
    `enabled an automatic merge when the pipeline for ${sha} succeeds`,
  auto_merge_canceled: () => 'canceled the automatic merge',
  auto_merge_aborted: ({ reason }) => `aborted the automatic merge because ${abortReasons[reason]}`,
}

/** Renders the text of a system note. */
export function renderSystemNote(note: SystemNote<NamedSource>, names: SystemNoteNames): string {
  const render = systemNoteActions[note.action] as (
    note: SystemNote<NamedSource>,
    names: SystemNoteNames,
  ) => string
  return render(note, names)
}

/** The address of a version of a merge request, compared with an earlier head if one is given. */
function versionUrl(
  { path, id }: NamedSource,
  webUrl: string,
  { versionId, startSha }: { versionId: number; startSha?: string | undefined },
): string {
  const since = startSha === undefined ? '' : `&start_sha=${startSha}`
  return `${webUrl}/${path}/merge_requests/${id}/diffs?diff_id=${versionId}${since}`
}

/** The list of commits is HTML. */
function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** `@a, @b, and @c` */
function sentence(users: readonly SystemNoteUser[], { username }: SystemNoteNames): string {
  const names = users.map((user) => `@${username(user.id) ?? user.username}`)
  if (names.length < 3) return names.join(' and ')
  return `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`
}

/** `%3`, or by title. A title that contains a quotation mark can't be quoted. */
function milestoneReference(
  { id, iid, title }: SystemNoteMilestone,
  { milestoneTitle }: SystemNoteNames,
): string {
  if (title === null) return `%${iid}`
  const current = milestoneTitle(id) ?? title
  return current.includes('"') ? `%${iid}` : `%"${current}"`
}

const dateFormat = lazy(
  () => new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }),
)

/** `March 11, 2016` */
function longDate(date: string): string {
  return dateFormat().format(new Date(`${date}T00:00:00Z`))
}

const mediumFormat = lazy(
  () => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }),
)

/** `Aug 20, 2018` */
function mediumDate(date: string): string {
  return mediumFormat().format(new Date(`${date}T00:00:00Z`))
}

const signs = {
  issue: '#',
  merge_request: '!',
  commit: '@',
  code: '@',
  epic: '&',
  snippet: '$',
} as const satisfies Record<NamedSource['type'], string>

/** `merge request !3` */
function typed(source: NamedSource): string {
  return `${typeName(source.type)} ${relative(source)}`
}

/** `#3` in the same project, `group/project#3` elsewhere. */
function relative(source: NamedSource): string {
  return reference(source, relativePath(source))
}

/** `group/project#3` */
function absolute(source: NamedSource): string {
  return reference(source, source.path ?? '')
}

/** A commit without a path needs no sign. */
function reference({ type, id }: NamedSource, path: string): string {
  return type === 'commit' && path === '' ? `${id}` : `${path}${signs[type]}${id}`
}

function relativePath({ isNear, path }: NamedSource): string {
  return isNear ? '' : (path ?? '')
}

function typeName(type: NamedSource['type']): string {
  return type.replace('_', ' ')
}
