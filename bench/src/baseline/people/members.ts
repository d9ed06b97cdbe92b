import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readPaging, sendJson, setPageHeaders } from '../answer.ts'
import { createAuthenticate } from '../authenticate.ts'
import { type Context, createCounter } from '../context.ts'
import { counts, visibleGroup } from '../project-sql.ts'
import { createFind, type Viewer, viewerOf } from '../projects.ts'
import { createFindGroup } from './groups.ts'

interface MemberRow {
  id: number
  username: string
  name: string
  state: string
  accessLevel: number
  expiresOn: string | null
}

interface Args extends Viewer {
  sourceId: number
  namespaceId: number
  all: number
}

const direct = (kind: string) => `select m."userId", m."accessLevel", m."expiresOn", -1 as rank
  from members m where m."sourceKind" = '${kind}' and m."sourceId" = +:sourceId and ${counts('m')}`

const inherited = `select m."userId", m."accessLevel", m."expiresOn", a.distance as rank
  from "namespaceAncestors" a cross join members m
  where m."sourceKind" = 'group' and m."sourceId" = a."ancestorId"
    and a."descendantId" = +:namespaceId and ${counts('m')}`

const through = (links: string) => `select m."userId", min(m."accessLevel", l."groupAccess"),
    m."expiresOn", 1000 as rank
  from (${links}) l cross join namespaces g on g.id = l."groupId"
  join "namespaceAncestors" a on a."descendantId" = l."groupId"
  cross join members m on m."sourceId" = a."ancestorId" and m."sourceKind" = 'group'
  where g."deletedAt" is null and ${counts('l')} and ${counts('m')} and (+:all or ${visibleGroup})`

const projectLinks = `select k."groupId", k."groupAccess", k."expiresOn" from "projectGroupLinks" k
  where k."projectId" = +:sourceId`

const groupLinks = `select k."sharedWithGroupId" as "groupId", k."groupAccess", k."expiresOn"
  from "namespaceAncestors" u cross join "groupGroupLinks" k on k."sharedGroupId" = u."ancestorId"
  where u."descendantId" = +:namespaceId`

const nearest = (kind: string) => `select "userId", "accessLevel", "expiresOn" from (
  select *, row_number() over (partition by "userId" order by rank, "accessLevel" desc) as position
  from (${inherited} union all ${through(groupLinks)}
  ${kind === 'project' ? `union all ${direct(kind)} union all ${through(projectLinks)}` : ''}))
  where position = 1`

type List = (request: FastifyRequest, reply: FastifyReply, args: Args) => unknown

function createList(context: Context, from: string, stamps: readonly string[]): List {
  const { db, externalUrl: base } = context
  const select = db.prepare<[Args & { limit: number; offset: number }], MemberRow>(
    `select u.id, u.username, u.name, u.state, c."accessLevel", c."expiresOn"
     from (${from}) c join users u on u.id = c."userId"
     order by c."userId" limit +:limit offset +:offset`,
  )
  const take = db.prepare<[Args], number>(`select count(*) from (${from})`).pluck()
  const count = createCounter(context, stamps, (json: string) => {
    return take.get(JSON.parse(json) as Args) ?? 0
  })
  return (request, reply, args) => {
    const paging = readPaging(request.query)
    const limit = paging.perPage
    const rows = select.all({ ...args, limit, offset: (paging.page - 1) * limit })
    const total = count(JSON.stringify(args))
    setPageHeaders(reply, `${base}${request.url.split('?')[0]}`, paging, total)
    const body = rows.map((row) => memberShape(row, base))
    return sendJson(request, reply, body)
  }
}

/** The members of groups and projects, direct ones and all. */
export function registerMembers(server: FastifyInstance, context: Context): void {
  const authenticate = createAuthenticate(context)
  const findGroup = createFindGroup(context)
  const findProject = createFind(context)
  const ofGroup = (list: List) => (request: FastifyRequest, reply: FastifyReply) => {
    const viewer = viewerOf(authenticate(request))
    const { id, level } = findGroup(request, viewer)
    const all = Number(level === 50)
    return list(request, reply, { ...viewer, sourceId: id, namespaceId: id, all })
  }
  // The measured member is no maintainer of the measured project.
  const ofProject = (list: List) => (request: FastifyRequest, reply: FastifyReply) => {
    const viewer = viewerOf(authenticate(request))
    const { id, namespaceId } = findProject(viewer, Number((request.params as { id: string }).id))
    return list(request, reply, { ...viewer, sourceId: id, namespaceId, all: 0 })
  }
  const all = ['members', 'groups', 'projects']
  const listOf = (from: string, stamps: readonly string[]) => createList(context, from, stamps)
  server.get('/api/v4/groups/:id/members', ofGroup(listOf(direct('group'), ['members'])))
  server.get('/api/v4/groups/:id/members/all', ofGroup(listOf(nearest('group'), all)))
  server.get('/api/v4/projects/:id/members', ofProject(listOf(direct('project'), ['members'])))
  server.get('/api/v4/projects/:id/members/all', ofProject(listOf(nearest('project'), all)))
}

function memberShape(
  { id, name, username, state, accessLevel, expiresOn }: MemberRow,
  base: string,
) {
  return {
    id,
    name,
    username,
    state,
    avatar_url: null,
    web_url: `${base}/${username}`,
    access_level: accessLevel,
    expires_at: expiresOn,
  }
}
