import { DomainError, type eventsContract } from '@stithy/core'
import { requireUserByRef } from '../../directory/users/user.service.ts'
import type { Handlers } from '../../platform/http/call.ts'
import { eventsOfGroup, eventsOfProject, eventsOfUser } from './event.service.ts'

export const eventHandlers: Handlers<typeof eventsContract> = {
  async current({ app, caller, query, page }) {
    if (caller.user === null) throw new DomainError('unauthorized')
    const user = { id: caller.user.id, privateProfile: false }
    return eventsOfUser(app, user, caller.facts, query, page)
  },

  async ofUser({ app, caller, params, query, page }) {
    const { id, privateProfile } = await requireUserByRef(app, params.id)
    const user = { id, privateProfile: privateProfile === 1 }
    return eventsOfUser(app, user, caller.facts, query, page)
  },

  async ofProject({ app, caller, subject, query, page }) {
    return eventsOfProject(app, subject, caller.facts, query, page)
  },

  async ofGroup({ app, caller, subject, query, page }) {
    return eventsOfGroup(app, subject.row.id, caller.facts, query, page)
  },
}
