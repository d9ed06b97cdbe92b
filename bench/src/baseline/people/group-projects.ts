import type { FastifyInstance } from 'fastify'
import { readPaging, sendJson, setPageHeaders } from '../answer.ts'
import { createAuthenticate } from '../authenticate.ts'
import { type Context, createCounter } from '../context.ts'
import { type ProjectRow, selectProjects, visibleProjects } from '../project-sql.ts'
import { createPresent, type Viewer, viewerOf } from '../projects.ts'
import { type GroupShareRow, groupShape, selectGroupShares } from './group-sql.ts'
import { createFindGroup } from './groups.ts'

type OfGroup = Viewer & { groupId: number }
type Paged = OfGroup & { limit: number; offset: number }

const own = 'p."namespaceId" = +:groupId'
const shared = `p.id in (select s."projectId" from "projectGroupLinks" s
  where s."groupId" = +:groupId and (s."expiresOn" is null or s."expiresOn" >= +:today))`
const newest = 'order by p."createdAt" desc, p.id desc'

/** The first rows of each source, in its order. */
function selectPage({ db }: Context, sources: readonly string[]) {
  const ids = sources.map(
    (source) => `select id from (select p.id from projects p
      where ${visibleProjects} and ${source} ${newest} limit +:limit + +:offset)`,
  )
  return db.prepare<[Paged], ProjectRow>(
    `${selectProjects} where p.id in (${ids.join(' union all ')})
     ${newest} limit +:limit offset +:offset`,
  )
}

/** `GET /groups/:id/projects`: those of the group, and those shared with it. */
export function registerGroupProjects(server: FastifyInstance, context: Context): void {
  const { db, externalUrl: base } = context
  const authenticate = createAuthenticate(context)
  const findGroup = createFindGroup(context)
  const present = createPresent(context)
  const which = `(${own} or ${shared})`
  const select = selectPage(context, [own, shared])
  const take = db
    .prepare<[OfGroup], number>(
      `select count(*) from projects p where ${visibleProjects} and ${which}`,
    )
    .pluck()
  const count = createCounter(
    context,
    ['projects', 'members'],
    (userId: number, today: string, groupId: number) => take.get({ userId, today, groupId }) ?? 0,
  )
  server.get('/api/v4/groups/:id/projects', (request, reply) => {
    const viewer = viewerOf(authenticate(request))
    const { id: groupId } = findGroup(request, viewer)
    const paging = readPaging(request.query)
    const limit = paging.perPage
    const rows = select.all({ ...viewer, groupId, limit, offset: (paging.page - 1) * limit })
    const url = `${base}${request.url.split('?')[0]}`
    setPageHeaders(reply, url, paging, count(viewer.userId, viewer.today, groupId))
    return sendJson(request, reply, present(rows, viewer))
  })
}

/** `GET /groups/:id` with its projects. */
export function registerGroup(server: FastifyInstance, context: Context): void {
  const { db, externalUrl: base } = context
  const authenticate = createAuthenticate(context)
  const findGroup = createFindGroup(context)
  const present = createPresent(context)
  const [selectOwn, selectShared] = [selectPage(context, [own]), selectPage(context, [shared])]
  const shares = db.prepare<[Viewer & { id: number; owner: number }], GroupShareRow>(
    selectGroupShares,
  )
  server.get('/api/v4/groups/:id', (request, reply) => {
    const viewer = viewerOf(authenticate(request))
    const group = findGroup(request, viewer)
    const args = { ...viewer, groupId: group.id, limit: 100, offset: 0 }
    const owner = Number(group.level === 50)
    return sendJson(request, reply, {
      ...groupShape(group, base),
      require_two_factor_authentication: group.requireTwoFactorAuthentication === 1,
      two_factor_grace_period: group.twoFactorGracePeriod,
      shared_runners_minutes_limit: group.sharedRunnersMinutesLimit,
      extra_shared_runners_minutes_limit: group.extraSharedRunnersMinutesLimit,
      shared_with_groups: shares.all({ ...viewer, id: group.id, owner }).map(shareShape),
      projects: present(selectOwn.all(args), viewer),
      shared_projects: present(selectShared.all(args), viewer),
    })
  })
}

function shareShape({ groupId, name, fullPath, groupAccess, expiresOn }: GroupShareRow) {
  return {
    group_id: groupId,
    group_name: name,
    group_full_path: fullPath,
    group_access_level: groupAccess,
    expires_at: expiresOn,
  }
}
