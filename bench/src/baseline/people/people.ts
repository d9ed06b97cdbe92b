import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { registerGroup, registerGroupProjects } from './group-projects.ts'
import { registerGroups } from './groups.ts'
import { registerSmallLists } from './lists.ts'
import { registerMembers } from './members.ts'

/** Groups, members, and what belongs to people. */
export function registerPeople(server: FastifyInstance, context: Context): void {
  registerGroups(server, context)
  registerGroupProjects(server, context)
  registerGroup(server, context)
  registerMembers(server, context)
  registerSmallLists(server, context)
}
