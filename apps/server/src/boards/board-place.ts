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
import type { App } from '../app.ts'
import type { GroupSubject } from '../groups/group-subject.ts'
import type { Caller } from '../http/call.ts'
import { webUrl } from '../http/urls.ts'
import { dayOf } from '../members/day.ts'
import { presentSimpleProject } from '../projects/project.presenter.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'

/** Where boards are: what they show of their owner, and which labels, milestones and people they can have. */
export interface BoardPlace {
  owner: BoardOwner
  /** False where nothing may be changed. */
  mayGetStarter: boolean
  shown: (app: App, caller: Caller) => Pick<Board, 'project' | 'group'>
  findLabel: (app: App, id: number) => Promise<LabelRef | undefined>
  findLabels: (app: App, titles: readonly string[]) => Promise<LabelRef[]>
  findMilestone: (app: App, id: number) => Promise<{ id: number } | undefined>
  /** The level that a user has there; 0 for none. */
  levelOf: (app: App, userId: number) => Promise<number>
}

/** A project as the place of boards. */
export function projectPlace({ row, facts }: ProjectSubject): BoardPlace {
  const scope = { projectId: row.id, namespaceId: row.namespaceId }
  return {
    owner: { projectId: row.id },
    mayGetStarter: !facts.archived,
    shown: (app, caller) => ({
      project: presentSimpleProject(app.config, caller.facts, { row, facts }),
    }),
    findLabel: (app, id) => findProjectLabel(app.db, scope, { id }),
    findLabels: (app, titles) => findLabelsByTitle(app.db, { ...scope, titles }),
    findMilestone: (app, id) => findUsableMilestoneById(app.db, { ...scope, id }),
    levelOf: (app, userId) =>
      levelInProject(app.db, { userId, today: dayOf(app.now()), projectId: row.id }),
  }
}

/** A group as the place of boards. */
export function groupPlace({ row }: GroupSubject): BoardPlace {
  const { id: groupId, name, fullPath } = row
  return {
    owner: { groupId },
    mayGetStarter: true,
    shown: (app) => ({
      project: null,
      group: { id: groupId, name, web_url: webUrl(app.config, `groups/${fullPath}`) },
    }),
    findLabel: (app, id) => findGroupLabel(app.db, groupId, { id }),
    findLabels: (app, titles) => findGroupLabelsByTitle(app.db, { groupId, titles }),
    // No project has the id 0: what is found is of the group, or of one above it.
    findMilestone: (app, id) =>
      findUsableMilestoneById(app.db, { projectId: 0, namespaceId: groupId, id }),
    levelOf: (app, userId) => levelInGroup(app.db, { userId, today: dayOf(app.now()), groupId }),
  }
}

/** The board of the place with this id. One query. @throws DomainError `not_found` */
export async function requireBoard(app: App, { owner }: BoardPlace, id: number): Promise<BoardRow> {
  const board = await findBoard(app.db, owner, id)
  if (board === undefined) throw notFound('Board')
  return board
}
