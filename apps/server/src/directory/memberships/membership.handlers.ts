import type { Membership, MembershipType, membershipsContract } from '@stithy/core'
import { listMemberships, type MemberSource, type NamedMembershipRow } from '@stithy/store'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Handlers } from '../../platform/http/call.ts'
import { requireUser } from '../users/user.service.ts'

const kinds = { Project: 'project', Namespace: 'group' } as const satisfies Record<
  MembershipType,
  MemberSource['sourceKind']
>

export const membershipHandlers: Handlers<typeof membershipsContract> = {
  async list({ app, params, query, page }) {
    const { id: userId } = await requireUser(app, params.id)
    const sourceKind = query.type && kinds[query.type]
    const filter = { userId, sourceKind, today: dayOf(app.now()) }
    const found = await listMemberships(app.db, filter, page)
    return { ...found, items: found.items.map(presentMembership) }
  },
}

function presentMembership(row: NamedMembershipRow): Membership {
  return {
    source_id: row.sourceId,
    source_name: row.sourceName ?? '',
    source_type: row.sourceKind === 'project' ? 'Project' : 'Namespace',
    access_level: row.accessLevel,
  }
}
