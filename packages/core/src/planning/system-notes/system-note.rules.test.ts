import { describe, expect, it } from 'vitest'
import { type NamedSource, renderSystemNote, type SystemNoteNames } from './system-note.rules.ts'
import {
  type AutoMergeAbort,
  milestoneSystemNote,
  type SystemNote,
  systemNoteOf,
  systemNoteParams,
} from './system-note.ts'

const names: SystemNoteNames = {
  noteableType: 'issue',
  webUrl: 'https://code.example',
  username: (id) => new Map([[1, 'a']]).get(id),
  milestoneTitle: (id) => new Map([[1, 'now']]).get(id),
}

type Rendered = SystemNote<NamedSource>

const text = (note: Rendered, some: Partial<SystemNoteNames> = {}) =>
  renderSystemNote(note, { ...names, ...some })

/** A source in `path`; in the note's own project when that is null. */
function named({ path, ...source }: Omit<NamedSource, 'isNear'>): NamedSource {
  return { ...source, path: path ?? 'near/by', isNear: path === null }
}

const issue = named({ type: 'issue', id: 1, path: 'g/p' })
const nearIssue = named({ type: 'issue', id: 1, path: null })

describe('renderSystemNote', () => {
  it('renders states', () => {
    expect(text({ action: 'closed' })).toBe('closed')
    const source = named({ type: 'merge_request', id: 3, path: null })
    expect(text({ action: 'closed', source })).toBe('closed via merge request !3')
    expect(text({ action: 'reopened' })).toBe('reopened')
    expect(text({ action: 'merged' })).toBe('merged')
    expect(text({ action: 'approved' })).toBe('approved this merge request')
    expect(text({ action: 'unapproved' })).toBe('unapproved this merge request')
  })

  it('renders changes of texts', () => {
    expect(text({ action: 'title_changed', from: 'ab', to: 'bc' })).toBe(
      'changed title from **{-ab-}** to **{+bc+}**',
    )
    expect(text({ action: 'title_changed', from: 'ab', to: 'abc' })).toBe(
      'changed title from **ab** to **ab{+c+}**',
    )
    expect(text({ action: 'description_changed' })).toBe('changed the description')
    expect(text({ action: 'task_marked', text: 'wash', done: true })).toBe(
      'marked the task **wash** as completed',
    )
    expect(text({ action: 'task_marked', text: 'wash', done: false })).toBe(
      'marked the task **wash** as incomplete',
    )
  })

  it.each([
    [['a'], [], 'assigned to @a'],
    [[], ['b'], 'unassigned @b'],
    [['a', 'b'], ['c'], 'assigned to @a and @b and unassigned @c'],
    [['a', 'b', 'c'], [], 'assigned to @a, @b, and @c'],
  ])('renders assignees: %j and %j', (added, removed, expected) => {
    const users = (usernames: string[]) => usernames.map((username) => ({ id: 9, username }))
    const note = { added: users(added), removed: users(removed) }
    expect(text({ action: 'assignees_changed', ...note })).toBe(expected)
  })

  it('renders the current usernames of assignees, and the recorded ones of deleted users', () => {
    const added = [1, 2].map((id) => ({ id, username: 'once' }))
    expect(text({ action: 'assignees_changed', added, removed: [] })).toBe(
      'assigned to @a and @once',
    )
  })

  it.each([
    [{ id: 7, iid: 3, title: 'v1', groupId: null }, 'changed milestone to %3'],
    [{ id: 7, iid: 3, title: 'v 1', groupId: 7 }, 'changed milestone to %"v 1"'],
    [{ id: 7, iid: 3, title: 'v "1"', groupId: 7 }, 'changed milestone to %3'],
    [{ id: 1, iid: 3, title: 'once', groupId: 7 }, 'changed milestone to %"now"'],
    [{ id: 1, iid: 3, title: 'once', groupId: null }, 'changed milestone to %3'],
    [null, 'removed milestone'],
  ])(
    'renders project milestones by number, group milestones by title: %j',
    (milestone, expected) => {
      expect(text(milestoneSystemNote(milestone))).toBe(expected)
    },
  )

  it('renders a milestone with the path of the project that a copy comes from', () => {
    const note = { action: 'milestone_changed', milestone: { id: 7, iid: 3, title: null } } as const
    expect(text({ ...note, source: issue })).toBe('changed milestone to g/p%3')
    expect(text({ ...note, source: nearIssue })).toBe('changed milestone to %3')
    const milestone = { id: 7, iid: 3, title: 'v 1' }
    expect(text({ ...note, milestone, source: issue })).toBe('changed milestone to g/p%"v 1"')
  })

  it('renders dates', () => {
    const due = (to: string | null) => text({ action: 'due_date_changed', to })
    expect(due('2016-03-11')).toBe('changed due date to March 11, 2016')
    expect(due('2020-02-29')).toBe('changed due date to February 29, 2020')
    expect(due(null)).toBe('removed due date')
  })

  it('renders times', () => {
    const estimate = (seconds: number) => text({ action: 'time_estimate_changed', seconds })
    expect(estimate(12_600)).toBe('changed time estimate to 3h 30m')
    expect(estimate(0)).toBe('removed time estimate')
    const spent = (seconds: number, on?: string) =>
      text({ action: 'time_spent_changed', seconds, on })
    expect(spent(3600)).toBe('added 1h of time spent')
    expect(spent(-60, '2020-01-02')).toBe('subtracted 1m of time spent at 2020-01-02')
    expect(text({ action: 'time_spent_removed' })).toBe('removed time spent')
  })

  it('renders settings', () => {
    const weight = (to: number | null) => text({ action: 'weight_changed', to })
    expect(weight(0)).toBe('changed weight to **0**')
    expect(weight(null)).toBe('removed the weight')
    const hidden = (confidential: boolean) =>
      text({ action: 'confidentiality_changed', confidential })
    expect(hidden(true)).toBe('made the issue confidential')
    expect(hidden(false)).toBe('made the issue visible to everyone')
    expect(text({ action: 'lock_changed', locked: true })).toBe('locked this issue')
    expect(text({ action: 'lock_changed', locked: false }, { noteableType: 'merge_request' })).toBe(
      'unlocked this merge request',
    )
  })

  it.each([
    ['moved_to', issue, 'moved to g/p#1'],
    ['moved_from', nearIssue, 'moved from near/by#1'],
    ['promoted_from', issue, 'promoted from issue g/p#1'],
    ['duplicate_of', nearIssue, 'marked this issue as a duplicate of #1'],
    ['duplicated_by', issue, 'marked g/p#1 as a duplicate of this issue'],
    ['related', nearIssue, 'marked this issue as related to #1'],
    ['unrelated', issue, 'removed the relation with g/p#1'],
  ] as const)('renders references to other issues: %s', (action, source, expected) => {
    expect(text({ action, source })).toBe(expected)
  })

  it.each([
    [{ type: 'issue', id: 2, path: null }, 'mentioned in issue #2'],
    [{ type: 'issue', id: 2, path: 'g/p' }, 'mentioned in issue g/p#2'],
    [{ type: 'merge_request', id: 3, path: null }, 'mentioned in merge request !3'],
    [{ type: 'epic', id: 1, path: 'g' }, 'mentioned in epic g&1'],
    [{ type: 'snippet', id: 9, path: null }, 'mentioned in snippet $9'],
    [{ type: 'commit', id: 'abc', path: null }, 'mentioned in commit abc'],
    [{ type: 'commit', id: 'abc', path: 'g/p' }, 'mentioned in commit g/p@abc'],
  ] as const)('%j is %s', (source, expected) => {
    expect(text({ action: 'mentioned_in', source: named(source) })).toBe(expected)
  })

  it('renders a personal snippet without a path', () => {
    const source = { type: 'snippet', id: 9, path: null, isNear: false } as const
    expect(text({ action: 'mentioned_in', source })).toBe('mentioned in snippet $9')
  })

  it('renders branches and merge requests', () => {
    const branch = named({ type: 'code', id: '1-ü', path: 'g/p' })
    expect(text({ action: 'branch_created', source: branch, target: 'main' })).toBe(
      'created branch [`1-ü`](https://code.example/g/p/compare/main...1-%C3%BC) to address this issue',
    )
    const source = named({ type: 'merge_request', id: 3, path: null })
    expect(text({ action: 'merge_request_created', source })).toBe(
      'created merge request !3 to address this issue',
    )
    expect(text({ action: 'source_branch_deleted', branch: 'b' })).toBe('deleted source branch `b`')
    expect(text({ action: 'source_branch_restored', branch: 'b' })).toBe(
      'restored source branch `b`',
    )
    expect(text({ action: 'target_branch_changed', from: 'a', to: 'b' })).toBe(
      'changed target branch from `a` to `b`',
    )
    const marked = (isMarked: boolean) =>
      text({ action: 'work_in_progress_changed', marked: isMarked })
    expect(marked(true)).toBe('marked as a **Work In Progress**')
    expect(marked(false)).toBe('unmarked as a **Work In Progress**')
    const sha = 'a'.repeat(40)
    expect(text({ action: 'work_in_progress_changed', marked: true, sha })).toBe(
      `marked as a **Work In Progress** from ${sha}`,
    )
    expect(text({ action: 'threads_resolved' })).toBe('resolved all threads')
  })

  it('renders outdated threads', () => {
    const source = named({ type: 'merge_request', id: 3, path: null })
    const note = { action: 'diff_line_changed', source, version: 2, versionId: 7 } as const
    const address = 'https://code.example/near/by/merge_requests/3/diffs?diff_id=7'
    expect(text({ ...note, of: 'line', startSha: 'abc', anchor: 'f_1_2' })).toBe(
      `changed this line in [version 2 of the diff](${address}&start_sha=abc#f_1_2)`,
    )
    expect(text({ ...note, of: 'file' })).toBe(
      `changed this file in [version 2 of the diff](${address})`,
    )
  })

  it('renders automatic merges', () => {
    expect(text({ action: 'auto_merge_enabled', sha: 'abc' })).toBe(
      'enabled an automatic merge when the pipeline for abc succeeds',
    )
    expect(text({ action: 'auto_merge_canceled' })).toBe('canceled the automatic merge')
    const aborted = (reason: AutoMergeAbort) => text({ action: 'auto_merge_aborted', reason })
    expect(aborted('source_updated')).toBe(
      'aborted the automatic merge because source branch was updated',
    )
    expect(aborted('target_changed')).toBe(
      'aborted the automatic merge because target branch was changed',
    )
    expect(aborted('closed')).toBe('aborted the automatic merge because merge request was closed')
  })
})

describe('systemNoteOf', () => {
  it('parses the output of systemNoteParams, and takes the source separately', () => {
    const source = { type: 'issue', key: '1', projectId: 2 } as const
    const note: SystemNote = { action: 'branch_created', target: 'main', source }
    const params = systemNoteParams(note)
    expect(params).toBe('{"target":"main"}')
    expect(systemNoteOf({ action: note.action, params }, source)).toEqual(note)
  })
})
