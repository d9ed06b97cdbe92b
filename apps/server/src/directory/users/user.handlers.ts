import { DomainError, type usersContract } from '@stithy/core'
import { findHighestRole, listFullUsers, listUsers } from '@stithy/store'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Handlers } from '../../platform/http/call.ts'
import {
  presentAdminUser,
  presentCurrentUser,
  presentProfile,
  presentUserRef,
} from './user.presenter.ts'
import { changeUser, createUser, requireUser } from './user.service.ts'
import { userFilter } from './user-list.service.ts'
import { removeUser } from './user-removal.service.ts'
import { blockUser, unblockUser } from './user-state.service.ts'
import { viewUser, viewUsers } from './user-views.service.ts'

export const usersHandlers: Handlers<typeof usersContract> = {
  async list({ app, caller, query, page }) {
    const filter = userFilter(caller.facts, query)
    if (!caller.facts.admin) {
      const found = await listUsers(app.db, filter, page)
      return { ...found, items: found.items.map((row) => presentUserRef(app.config, row)) }
    }
    const found = await listFullUsers(app.db, filter, page)
    const withAttributes = query.with_custom_attributes === true
    const views = await viewUsers(app, found.items, { withAttributes })
    return { ...found, items: views.map((view) => presentAdminUser(app.config, view)) }
  },

  async show({ app, caller, params, query }) {
    const row = await requireUser(app, params.id)
    if (!caller.facts.admin) {
      const isSelf = row.id === caller.facts.userId
      return presentProfile(app.config, row, { isSelf })
    }
    const withAttributes = query.with_custom_attributes === true
    const view = await viewUser(app, row, { withAttributes })
    const today = dayOf(app.now())
    const highestRole = await findHighestRole(app.db, { userId: row.id, today })
    return { ...presentAdminUser(app.config, view), highest_role: highestRole }
  },

  async create({ app, caller, body }) {
    const row = await createUser(app, body, caller.facts.userId)
    return presentAdminUser(app.config, await viewUser(app, row))
  },

  async update({ app, caller, params, body, sent }) {
    const by = caller.facts.userId
    const row = await changeUser(app, params.id, body, { sent, by })
    return presentAdminUser(app.config, await viewUser(app, row))
  },

  async delete({ app, params, query, headers }) {
    await removeUser(app, params.id, { hard: query.hard_delete === true, headers })
    return undefined
  },

  async current({ app, caller }) {
    if (caller.user === null) throw new DomainError('unauthorized')
    const view = await viewUser(app, await requireUser(app, caller.user.id))
    return caller.facts.admin
      ? presentAdminUser(app.config, view)
      : presentCurrentUser(app.config, view)
  },

  async block({ app, params, caller }) {
    await blockUser(app, params.id, caller.facts.userId)
    return true
  },

  async unblock({ app, params }) {
    await unblockUser(app, params.id)
    return true
  },
}
