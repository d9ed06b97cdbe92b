import { type namespacesContract, notFound, parsePathOrId } from '@stithy/core'
import { findListedNamespace, listNamespaces } from '@stithy/store'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Handlers } from '../../platform/http/call.ts'
import { creationScope } from './namespace.service.ts'
import { viewNamespaces } from './namespace-view.service.ts'

export const namespacesHandlers: Handlers<typeof namespacesContract> = {
  async list({ app, caller, query, page }) {
    const filter = {
      caller: caller.facts,
      today: dayOf(app.now()),
      search: query.search || undefined,
      scope: query.permission_scope && creationScope(app, caller.facts),
    }
    const rows = await listNamespaces(app.db, filter, page)
    return { ...rows, items: await viewNamespaces(app, caller.facts, rows.items) }
  },

  async show({ app, caller, params }) {
    const filter = { caller: caller.facts, today: dayOf(app.now()) }
    const key = parsePathOrId(params.id)
    const row = key && (await findListedNamespace(app.db, filter, key))
    const [view] = row === undefined ? [] : await viewNamespaces(app, caller.facts, [row])
    if (view === undefined) throw notFound('Namespace')
    return view
  },
}
