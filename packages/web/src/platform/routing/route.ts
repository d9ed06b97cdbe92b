import type { PageCall } from '../pages/page-call.ts'
import type { Reply } from '../pages/reply.ts'

/** What a page belongs to, and with it what its address begins with. */
export type Scope = 'instance' | 'project' | 'group' | 'user'

/**
 * A page or the action of a form. The pattern is relative to the scope's own address, without a
 * leading slash; `:name` is one segment, and `*name` at the end all that follows, which may be
 * empty. `issues/:iid` of a project is `/group/app/-/issues/1`, and `/group/app/issues/1`.
 */
export interface Route {
  readonly scope: Scope
  readonly method: 'GET' | 'POST'
  readonly pattern: string
  readonly handle: (call: PageCall) => Promise<Reply>
}

type Handle = Route['handle']

function define(scope: Scope, method: Route['method']) {
  return (pattern: string, handle: Handle): Route => ({ scope, method, pattern, handle })
}

/** Pages of the whole instance: `/explore`. */
export const instancePage = define('instance', 'GET')
export const instanceAction = define('instance', 'POST')

/** Pages of a project; `params.project` is its full path. */
export const projectPage = define('project', 'GET')
export const projectAction = define('project', 'POST')

/** Pages of a group, also at `/groups/<full path>`; `params.group` is its full path. */
export const groupPage = define('group', 'GET')
export const groupAction = define('group', 'POST')

type Define = typeof projectPage

/** Pages and actions that projects and groups have alike. */
export function projectAndGroupRoutes(build: (page: Define, action: Define) => Route[]): Route[] {
  return [...build(projectPage, projectAction), ...build(groupPage, groupAction)]
}

/** Pages of a user, `/<username>` and `/users/<username>/…`; `params.user` is the username. */
export const userPage = define('user', 'GET')
export const userAction = define('user', 'POST')
