import type { Decision } from '@stithy/core'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import { decideOn } from '../../platform/http/authorize.ts'
import type { DecidedCaller } from '../../platform/http/subjects.ts'
import type {
  Item,
  ItemDraft,
  MergeRequestDraft,
  MergeRequestItem,
  PlannedItemDraft,
  ProjectSnippetItem,
} from './item.ts'

declare module '../../platform/http/subjects.ts' {
  interface Subjects {
    merge_request: MergeRequestItem
  }
  interface DecidedSubjects {
    merge_request: MergeRequestDraft
  }
}

/** Whether the caller may read the item, which must be loaded for them. */
export function mayReadItem(app: App, item: ItemDraft, caller: DecidedCaller): boolean {
  return decideOnReading(app, item, caller).allowed
}

function decideOnReading(app: App, item: ItemDraft, caller: DecidedCaller): Decision {
  switch (item.type) {
    case 'issue':
      return decideOn(app, 'issue', 'read_issue', item, caller)
    case 'merge_request':
      return decideOn(app, 'merge_request', 'read_merge_request', item, caller)
    case 'snippet':
      return isOfProject(item)
        ? decideOn(app, 'snippet', 'read_snippet', item, caller)
        : decideOn(app, 'personal_snippet', 'read_personal_snippet', item, caller)
    case 'commit':
      return decideOn(app, 'commit', 'read_commit', item, caller)
    case 'epic':
      return decideOn(app, 'epic', 'read_epic', item, caller)
  }
}

function isOfProject(item: Extract<Item, { type: 'snippet' }>): item is ProjectSnippetItem {
  return item.project !== undefined
}

/** Whether the caller may update the item, which must be loaded for them. */
export function mayUpdateItem(app: App, item: PlannedItemDraft, caller: DecidedCaller): boolean {
  switch (item.type) {
    case 'issue':
      return decideOn(app, 'issue', 'update_issue', item, caller).allowed
    case 'merge_request':
      return decideOn(app, 'merge_request', 'update_merge_request', item, caller).allowed
    case 'epic':
      return decideOn(app, 'epic', 'update_epic', item, caller).allowed
  }
}

/** Finds a merge request by iid that the caller may read. */
export async function findMergeRequestItem(
  app: App,
  caller: DecidedCaller,
  project: ProjectSubject,
  iid: number,
): Promise<MergeRequestItem | undefined> {
  const params = { merge_request_iid: iid }
  const ref = String(project.row.id)
  const abilities = ['read_merge_request']
  const request = { app, caller, params, ref, abilities, parent: project }
  const item = await app.subjects.merge_request.find(request)
  return item !== undefined && mayReadItem(app, item, caller) ? item : undefined
}

/** The item as a user with this access level in its project or group sees it. */
export function withAccessLevel(item: ItemDraft, level: number): ItemDraft {
  if (item.type === 'epic') {
    const { group } = item
    const facts = { visibility: group.row.visibility, level, holdsReadableProject: false }
    return { ...item, group: { ...group, facts } }
  }
  if (item.project === undefined) return item
  const { project } = item
  return { ...item, project: { ...project, facts: { ...project.facts, level } } }
}
