import {
  type CallerFacts,
  type Decision,
  DomainError,
  decideOnGroup,
  decideOnInstance,
  decideOnProject,
  type EndpointSpec,
  forbidden,
  notFound,
} from '@stithy/core'
import type { App } from '../app.ts'
import { tierAllows } from '../config/config.ts'
import type { GroupSubject } from '../groups/group-subject.ts'
import { loadGroup } from '../groups/group-subject.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { loadProject } from '../projects/project-subject.ts'
import type { Caller } from './call.ts'

type Subject = ProjectSubject | GroupSubject | undefined

/**
 * Decides whether the call may go on, and loads its subject. What the caller may not see is absent (404),
 * what they may see but not do is forbidden (403), and who sent no token is asked for one (401).
 */
export async function authorize(
  app: App,
  endpoint: EndpointSpec,
  caller: Caller,
  params: Record<string, unknown>,
): Promise<Subject> {
  const { auth } = endpoint
  if (endpoint.tier !== undefined && !tierAllows(app.config.tier, endpoint.tier)) throw forbidden()
  if (typeof auth === 'string' || auth.on === undefined) return undefined
  if (auth.on === 'instance') {
    const facts = { canCreateGroup: caller.user?.canCreateGroup ?? false }
    enforce(decideOnInstance(auth.ability, caller.facts, facts), caller)
    return undefined
  }
  const ref = String(params[endpoint.subjectParam ?? 'id'])
  if (auth.on === 'project') {
    const project = await requireProject(app, ref, caller)
    enforce(decideOnProject(auth.ability, caller.facts, project.facts), caller)
    return project
  }
  const group = await requireGroup(app, ref, caller)
  enforce(decideOnGroup(auth.ability, caller.facts, group.facts), caller)
  return group
}

/** @throws DomainError `unauthorized` or `forbidden` where the decision says no. */
export function enforce(decision: Decision, caller: { user: unknown }): void {
  if (decision.allowed) return
  if (caller.user === null) throw new DomainError('unauthorized')
  throw forbidden(decision.reason)
}

/** The project, where the caller may see it. @throws DomainError `not_found`. */
export async function requireProject(
  app: App,
  ref: string,
  caller: { facts: CallerFacts },
): Promise<ProjectSubject> {
  const project = await loadProject(app, ref, caller)
  if (project === undefined) throw notFound('Project')
  if (!decideOnProject('read_project', caller.facts, project.facts).allowed) {
    throw notFound('Project')
  }
  return project
}

/** The group, where the caller may see it. @throws DomainError `not_found`. */
export async function requireGroup(
  app: App,
  ref: string,
  caller: { facts: CallerFacts },
): Promise<GroupSubject> {
  const group = await loadGroup(app, ref, caller)
  if (group === undefined) throw notFound('Group')
  if (!decideOnGroup('read_group', caller.facts, group.facts).allowed) throw notFound('Group')
  return group
}
