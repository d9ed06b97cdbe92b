import type { TestUser } from './factories.ts'
import type { Json, TestServer } from './test-server.ts'

export const dayMs = 86_400_000

/** The day `offset` days after today, by the server's clock. */
export function dayAfter(server: TestServer, offset: number): string {
  return new Date(server.app.now() + offset * dayMs).toISOString().slice(0, 10)
}

/** Access levels by user id. */
export function levelsOf(members: Json[]): Record<string, number> {
  return Object.fromEntries(members.map((member) => [member.id, member.access_level]))
}

/** Builds a group, a subgroup with a project, and members of each. */
export async function buildTree(server: TestServer) {
  const owner = await server.buildUser()
  const group = await server.buildGroup({ name: 'Treetop' }, owner)
  const below = await server.buildGroup({ parent_id: group.id }, owner)
  const project = await server.buildProject({ namespace_id: below.id }, owner)
  return { owner, group, below, project }
}

/** Adds a user with each level to a group or project: `groups/1`. */
export async function buildMembers<Role extends string>(
  server: TestServer,
  path: string,
  levels: Readonly<Record<Role, number>>,
): Promise<Record<Role, TestUser>> {
  const people = {} as Record<Role, TestUser>
  for (const [role, level] of Object.entries(levels) as [Role, number][]) {
    people[role] = await server.buildUser()
    await server.addMember(path, people[role].id, level)
  }
  return people
}
