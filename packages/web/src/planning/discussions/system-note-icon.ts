import type { IconName } from '../../platform/design/icon-paths.ts'

/** Icons of changes, by the beginning of the text of a system note. */
const icons: readonly (readonly [start: string, icon: IconName])[] = [
  ['closed', 'issue-closed'],
  ['reopened', 'issue-reopened'],
  ['merged', 'git-merge'],
  ['changed title', 'pencil'],
  ['changed the description', 'pencil'],
  ['marked the task', 'tasklist'],
  ['assigned', 'person'],
  ['unassigned', 'person'],
  ['changed milestone', 'milestone'],
  ['removed milestone', 'milestone'],
  ['changed due date', 'calendar'],
  ['removed due date', 'calendar'],
  ['removed the due date', 'calendar'],
  ['changed start date', 'calendar'],
  ['removed the start date', 'calendar'],
  ['changed weight', 'law'],
  ['removed the weight', 'law'],
  ['made the issue confidential', 'eye-closed'],
  ['made the issue visible', 'eye'],
  ['locked', 'lock'],
  ['unlocked', 'unlock'],
  ['changed time estimate', 'clock'],
  ['removed time estimate', 'clock'],
  ['subtracted', 'clock'],
  ['removed time spent', 'clock'],
  ['moved', 'arrow-right'],
  ['marked', 'link'],
  ['removed the relation', 'link'],
  ['mentioned in', 'cross-reference'],
  ['created branch', 'git-branch'],
  ['created merge request', 'git-pull-request'],
  ['deleted source branch', 'git-branch'],
  ['restored source branch', 'git-branch'],
  ['changed target branch', 'git-branch'],
  ['changed this', 'diff'],
  ['resolved all threads', 'check-circle'],
  ['approved', 'check'],
  ['unapproved', 'x'],
  ['enabled an automatic merge', 'clock'],
  ['canceled the automatic merge', 'x'],
  ['aborted the automatic merge', 'x'],
]

/** @param body the text of a system note */
export function systemNoteIcon(body: string): IconName {
  const found = icons.find(([start]) => body.startsWith(start))
  if (found !== undefined) return found[1]
  if (!body.startsWith('added')) return 'history'
  if (body.includes('time spent')) return 'clock'
  return body.includes('commit') ? 'git-commit' : 'list-unordered'
}
