import type { groupMembersContract, projectMembersContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { addGroupMember, removeGroupMember, updateGroupMember } from './group-member.service.ts'
import {
  loadMembersPage,
  membersOfGroup,
  membersOfProject,
  showMember,
} from './member-list.service.ts'
import {
  addProjectMember,
  removeProjectMember,
  updateProjectMember,
} from './project-member.service.ts'

export const projectMembersHandlers: Handlers<typeof projectMembersContract> = {
  list: ({ app, caller, subject, query, page }) =>
    loadMembersPage(app, membersOfProject(subject, caller), false, query.query, page),
  all: ({ app, caller, subject, query, page }) =>
    loadMembersPage(app, membersOfProject(subject, caller), true, query.query, page),
  show: ({ app, caller, subject, params }) =>
    showMember(app, membersOfProject(subject, caller), false, params.user_id),
  showAll: ({ app, caller, subject, params }) =>
    showMember(app, membersOfProject(subject, caller), true, params.user_id),

  async add({ app, caller, subject, body }) {
    await addProjectMember(app, caller, subject, body)
    return showMember(app, membersOfProject(subject, caller), false, body.user_id)
  },

  async update({ app, caller, subject, params, body }) {
    await updateProjectMember(app, subject, params.user_id, body)
    return showMember(app, membersOfProject(subject, caller), false, params.user_id)
  },

  remove: ({ app, caller, subject }) => removeProjectMember(app, caller, subject),
}

export const groupMembersHandlers: Handlers<typeof groupMembersContract> = {
  list: ({ app, caller, subject, query, page }) =>
    loadMembersPage(app, membersOfGroup(subject, caller), false, query.query, page),
  all: ({ app, caller, subject, query, page }) =>
    loadMembersPage(app, membersOfGroup(subject, caller), true, query.query, page),
  show: ({ app, caller, subject, params }) =>
    showMember(app, membersOfGroup(subject, caller), false, params.user_id),
  showAll: ({ app, caller, subject, params }) =>
    showMember(app, membersOfGroup(subject, caller), true, params.user_id),

  async add({ app, caller, subject, body }) {
    await addGroupMember(app, caller, subject, body)
    return showMember(app, membersOfGroup(subject, caller), false, body.user_id)
  },

  async update({ app, caller, subject, params, body }) {
    await updateGroupMember(app, subject, params.user_id, body)
    return showMember(app, membersOfGroup(subject, caller), false, params.user_id)
  },

  remove: ({ app, caller, subject }) => removeGroupMember(app, caller, subject),
}
