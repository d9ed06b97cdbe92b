import type { PageCall } from '../../platform/pages/page-call.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { permitted } from '../../platform/routing/permitted.ts'
import { groupAction, groupPage, type Route } from '../../platform/routing/route.ts'
import { discussionRoutes } from '../discussions/discussion-routes.ts'
import {
  addChild,
  addEpicTodo,
  addIssue,
  changeChild,
  changeEpicIssue,
  changeEpicState,
  deleteEpic,
} from './epic-actions.ts'
import {
  createEpic,
  editEpic,
  showEditEpic,
  showEpicDescription,
  showNewEpic,
} from './epic-form-page.ts'
import { showEpics } from './epic-list-page.ts'
import { epicPage, noteableOf, showEpic } from './epic-page.ts'

const groupOf = ({ params }: PageCall) => ({ groupId: params.group ?? '' })
const mayCreate = (call: PageCall) => call.permits.epics.create(groupOf(call))
const mayUpdate = async (call: PageCall) =>
  call.permits.epics.update({ ...groupOf(call), epicIid: rowId(call, 'iid') })

export const epicRoutes: readonly Route[] = [
  groupPage('epics', showEpics),
  groupPage('epics/new', permitted(mayCreate, showNewEpic)),
  groupAction('epics', createEpic),
  groupPage('epics/:iid', showEpic),
  groupPage('epics/:iid/edit', permitted(mayUpdate, showEditEpic)),
  groupAction('epics/:iid/edit', editEpic),
  groupAction('epics/:iid/todo', addEpicTodo),
  groupAction('epics/:iid/delete', deleteEpic),
  groupAction('epics/:iid/children', addChild),
  groupAction('epics/:iid/children/:child', changeChild),
  groupAction('epics/:iid/issues', addIssue),
  groupAction('epics/:iid/issues/:link', changeEpicIssue),
  groupPage('epics/:iid/description', showEpicDescription),
  ...discussionRoutes(groupAction, groupPage, 'epics/:iid', {
    noteable: noteableOf,
    show: epicPage,
    changeState: changeEpicState,
  }),
]
