import type { Kysely } from 'kysely'
import { createNamespaces } from './0001/namespaces.ts'
import { createProjectDetails, createProjects } from './0001/projects.ts'
import { createEvents, createMembers, createSystem } from './0001/relations.ts'
import { createUsers } from './0001/users.ts'
import { createTools } from './tools.ts'

/** The tables of users, groups, projects, members, activity and background jobs. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const tools = createTools(db, dialect)
  await createUsers(tools)
  await createNamespaces(tools)
  await createProjects(tools)
  await createProjectDetails(tools)
  await createMembers(tools)
  await createEvents(tools)
  await createSystem(tools)
}
