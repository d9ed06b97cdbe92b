/**
 * What the program remarks on issues, merge requests and epics, to the letter, as v4 clients read it
 * (catalogue: issues, 4). Names are without `@`; days are `YYYY-MM-DD`.
 */
export type RemarkedType = 'issue' | 'merge_request' | 'epic'

/** `via`: `commit <hash>` or `merge request !3`. */
export function closedRemark(via?: string): string {
  return via === undefined ? 'closed' : `closed via ${via}`
}

export const reopenedRemark = 'reopened'
export const descriptionRemark = 'changed the description'

/** With the marks of `markTitleChange`. */
export function titleRemark({ from, to }: { from: string; to: string }): string {
  return `changed title from **${from}** to **${to}**`
}

export function taskRemark({ text, done }: { text: string; done: boolean }): string {
  return `marked the task **${text}** as ${done ? 'completed' : 'incomplete'}`
}

/** Who was assigned, and who no longer is; undefined where nobody. */
export function assigneesRemark(change: {
  added: readonly string[]
  removed: readonly string[]
}): string | undefined {
  const { added, removed } = change
  const parts = [
    ...(added.length === 0 ? [] : [`assigned to ${sentence(added)}`]),
    ...(removed.length === 0 ? [] : [`unassigned ${sentence(removed)}`]),
  ]
  return parts.length === 0 ? undefined : parts.join(' and ')
}

function sentence(usernames: readonly string[]): string {
  const names = usernames.map((name) => `@${name}`)
  if (names.length < 3) return names.join(' and ')
  return `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`
}

/** A milestone as a remark names it: one of a project by its number, one of a group by its title. */
export interface RemarkedMilestone {
  iid: number
  title: string
  groupId: number | null
}

export function milestoneRemark(milestone: RemarkedMilestone | null): string {
  if (milestone === null) return 'removed milestone'
  const { iid, title, groupId } = milestone
  const byTitle = groupId !== null && !title.includes('"')
  return `changed milestone to %${byTitle ? `"${title}"` : iid}`
}

const longDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

export function dueDateRemark(day: string | null): string {
  if (day === null) return 'removed due date'
  return `changed due date to ${longDay.format(new Date(`${day}T00:00:00Z`))}`
}

export function weightRemark(weight: number | null): string {
  return weight === null ? 'removed the weight' : `changed weight to **${weight}**`
}

export function confidentialityRemark(confidential: boolean): string {
  return confidential ? 'made the issue confidential' : 'made the issue visible to everyone'
}

export function lockRemark(type: RemarkedType, locked: boolean): string {
  return `${locked ? 'locked' : 'unlocked'} this ${type.replace('_', ' ')}`
}

/** `reference` names the other end of a move, as `group/project#1`. */
export function moveRemark(direction: 'to' | 'from', reference: string): string {
  return `moved ${direction} ${reference}`
}

/** `reference` names the issue that this one is a duplicate of. */
export function duplicateRemark(reference: string): string {
  return `marked this issue as a duplicate of ${reference}`
}

/** `reference` names the issue that is a duplicate of this one. */
export function duplicatedRemark(reference: string): string {
  return `marked ${reference} as a duplicate of this issue`
}

export const mergedRemark = 'merged'

/** Of a merge request that is closed with its branch. */
export function deletedBranchRemark(branch: string): string {
  return `deleted source branch \`${branch}\``
}

export function targetBranchRemark(from: string, to: string): string {
  return `changed target branch from \`${from}\` to \`${to}\``
}

export function workInProgressRemark(isMarked: boolean): string {
  return `${isMarked ? 'marked' : 'unmarked'} as a **Work In Progress**`
}

/** A branch that was made for an issue; `link` shows what is on it. */
export function branchForIssueRemark(branch: string, link: string): string {
  return `created branch [\`${branch}\`](${link}) to address this issue`
}

export function requestForIssueRemark(iid: number): string {
  return `created merge request !${iid} to address this issue`
}
