import { type Board, notFound } from '@stithy/core'
import {
  type BoardOwner,
  type BoardRow,
  findBoard,
  findGroupLabel,
  findGroupLabelsByTitle,
  findLabelsByTitle,
  findProjectLabel,
  findUsableMilestoneById,
  type LabelRef,
  levelInGroup,
  levelInProject,
} from '@stithy/store'
import type { GroupSubject } from '../../directory/groups/group-subject.ts'
import { presentSimpleProject } from '../../directory/projects/project.presenter.ts'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Caller } from '../../platform/http/call.ts'
import { webUrl } from '../../platform/http/urls.ts'

/** The project or group of a board, with the labels, milestones and members it can use. */
export interface BoardParent {
  owner: BoardOwner
  present: (app: App, caller: Caller) => Pick<Board, 'project' | 'group'>
  findLabel: (app: App, id: number) => Promise<LabelRef | undefined>
  findLabels: (app: App, titles: readonly string[]) => Promise<LabelRef[]>
  findMilestone: (app: App, id: number) => Promise<{ id: number } | undefined>
  /** The access level of a user; 0 for none. */
  accessLevelOf: (app: App, userId: number) => Promise<number>
}

export function projectParent({ row, facts }: ProjectSubject): BoardParent {
  const scope = { projectId: row.id, namespaceId: row.namespaceId }
  return {
    owner: { projectId: row.id },
    present: (app, caller) => ({
      project: presentSimpleProject(app.config, caller.facts, { row, facts }),
    }),
    findLabel: (app, id) => findProjectLabel(app.db, scope, { id }),
    findLabels: (app, titles) => findLabelsByTitle(app.db, { ...scope, titles }),
    findMilestone: (app, id) => findUsableMilestoneById(app.db, { ...scope, id }),
    accessLevelOf: (app, userId) =>
      levelInProject(app.db, { userId, today: dayOf(app.now()), projectId: row.id }),
  }
}

export function groupParent({ row }: GroupSubject): BoardParent {
  const { id: groupId, name, fullPath } = row
  return {
    owner: { groupId },
    present: (app) => ({
      project: null,
      group: { id: groupId, name, web_url: webUrl(app.config, `groups/${fullPath}`) },
    }),
    findLabel: (app, id) => findGroupLabel(app.db, groupId, { id }),
    findLabels: (app, titles) => findGroupLabelsByTitle(app.db, { groupId, titles }),
    // No project has the id 0: finds only milestones of the group and of those above it.
    findMilestone: (app, id) =>
      findUsableMilestoneById(app.db, { projectId: 0, namespaceId: groupId, id }),
    accessLevelOf: (app, userId) =>
      levelInGroup(app.db, { userId, today: dayOf(app.now()), groupId }),
  }
}

/** The board of the parent with this id. One query. @throws DomainError `not_found` */
export async function requireBoard(
  app: App,
  { owner }: BoardParent,
  id: number,
): Promise<BoardRow> {
  const board = await findBoard(app.db, owner, id)
  if (board === undefined) throw notFound('Board')
  return board
}
