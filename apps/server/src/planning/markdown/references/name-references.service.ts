import { decideOnGroup, type ReferenceTarget } from '@stithy/core'
import { findUserRefs, listMentionedGroups, listMentionedUsers } from '@stithy/store'
import { webUrl } from '../../../platform/http/urls.ts'
import type { ResolvedReference } from '../../../platform/text/rendering/render-context.ts'
import {
  type Reader,
  type References,
  type ResolvedReferences,
  viewerOf,
} from './reference-parent.ts'

type NameTarget = Extract<ReferenceTarget, { kind: 'user' }>

/**
 * Resolves users and groups by name, and `@all` for the members of the project. Anonymous callers
 * get no users, as the list of users is not public either. Three queries.
 */
export async function findNameReferences(
  reader: Reader,
  references: References<NameTarget>,
): Promise<ResolvedReferences> {
  if (references.size === 0) return new Map()
  const names = [...references.values()].map(({ name }) => name.toLowerCase())
  const resolvedNames = [...(await groups(reader, names)), ...(await users(reader, names))]
  const byName = new Map<string, ResolvedReference>(resolvedNames)
  const allMembers = all(reader)
  if (allMembers !== undefined) byName.set('all', allMembers)
  const found: ResolvedReferences = new Map()
  for (const [key, { name }] of references) {
    const resolved = byName.get(name.toLowerCase())
    if (resolved !== undefined) found.set(key, resolved)
  }
  return found
}

function all({ app, project }: Reader): ResolvedReference | undefined {
  if (project === undefined) return undefined
  return {
    ...mention,
    href: webUrl(app.config, project.row.fullPath),
    title: 'All Project and Group Members',
    text: '@all',
    data: { project: project.row.id },
  }
}

const mention = { kind: 'project_member', type: 'user' }

type Named = readonly [name: string, found: ResolvedReference]

async function users({ app, caller }: Reader, names: readonly string[]): Promise<Named[]> {
  if (caller.facts.userId === null) return []
  const ids = (await listMentionedUsers(app.db, names)).map(({ id }) => id)
  const rows = ids.length === 0 ? [] : await findUserRefs(app.db, ids)
  return rows.map(({ id, username, name }) => {
    const href = webUrl(app.config, username)
    const found = { ...mention, href, title: name, text: `@${username}`, data: { user: id } }
    return [username.toLowerCase(), found] as const
  })
}

async function groups(reader: Reader, paths: readonly string[]): Promise<Named[]> {
  const { app, caller } = reader
  const rows = await listMentionedGroups(app.db, { ...viewerOf(reader), paths })
  return rows.flatMap(({ id, fullPath, fullName, visibility, level }) => {
    const facts = { visibility, level: level ?? 0, holdsReadableProject: false }
    if (!decideOnGroup('read_group', caller.facts, facts).allowed) return []
    const href = webUrl(app.config, `groups/${fullPath}`)
    const found = { ...mention, href, title: fullName, text: `@${fullPath}`, data: { group: id } }
    return [[fullPath.toLowerCase(), found] as const]
  })
}
