import { z } from 'zod'
import { clearableDate } from '../contract/date-fields.ts'
import { type Auth, endpoint } from '../contract/endpoint.ts'
import { integer, integerList, oneOf, optional, text } from '../contract/fields.ts'
import { Issue } from '../issues/issue.schema.ts'
import { MergeRequest } from '../merge-requests/merge-request.schema.ts'
import { BurndownEvent, Milestone } from './milestone.schema.ts'

const tag = 'Milestones'
const params = z.object({ milestone_id: integer() })
const dates = { due_date: clearableDate(), start_date: clearableDate() }

/** Where milestones lie, and who reads and writes them there. */
interface MilestonePlace<Path extends string, Read extends Auth, Admin extends Auth> {
  /** `/projects/:id/milestones` */
  path: Path
  read: Read
  admin: Admin
  /** `a project`, in sentences. */
  a: string
}

/** The endpoints that the milestones of projects and of groups share (catalogue: planning, 1). */
export function milestoneEndpoints<
  const Path extends string,
  const Read extends Auth,
  const Admin extends Auth,
>(place: MilestonePlace<Path, Read, Admin>) {
  return { ...readEndpoints(place), ...writeEndpoints(place), ...contentEndpoints(place) }
}

type ReadPlace<Path extends string, Read extends Auth> = Pick<
  MilestonePlace<Path, Read, Auth>,
  'path' | 'read' | 'a'
>

function readEndpoints<const Path extends string, const Read extends Auth>({
  path,
  read,
  a,
}: ReadPlace<Path, Read>) {
  const one = `${path}/:milestone_id` as const
  return {
    list: endpoint({
      method: 'GET',
      path,
      query: z.object(
        optional({
          iids: integerList(),
          state: oneOf(['active', 'closed', 'all']),
          title: text(),
          search: text(),
        }),
      ),
      paginated: true,
      response: { 200: z.array(Milestone) },
      auth: read,
      docs: { summary: `List the milestones of ${a}, newest first`, tag },
    }),
    show: endpoint({
      method: 'GET',
      path: one,
      params,
      response: { 200: Milestone },
      auth: read,
      errors: ['not_found'],
      docs: { summary: `Show a milestone of ${a}`, tag },
    }),
  }
}

function writeEndpoints<const Path extends string, const Admin extends Auth>({
  path,
  admin,
  a,
}: Pick<MilestonePlace<Path, Auth, Admin>, 'path' | 'admin' | 'a'>) {
  const one = `${path}/:milestone_id` as const
  return {
    create: endpoint({
      method: 'POST',
      path,
      body: z.object({ title: text(), ...optional({ description: text(), ...dates }) }),
      response: { 201: Milestone },
      auth: admin,
      errors: ['bad_request'],
      docs: { summary: `Create a milestone in ${a}`, tag },
    }),
    update: endpoint({
      method: 'PUT',
      path: one,
      params,
      body: z.object(
        optional({
          title: text(),
          description: text(),
          ...dates,
          state_event: oneOf(['close', 'activate']),
        }),
      ),
      response: { 200: Milestone },
      auth: admin,
      errors: ['bad_request', 'invalid_parameter', 'not_found'],
      docs: { summary: `Change, close or activate a milestone of ${a}`, tag },
    }),
    remove: endpoint({
      method: 'DELETE',
      path: one,
      params,
      response: { 204: null },
      auth: admin,
      errors: ['not_found', 'precondition_failed'],
      docs: {
        summary: `Delete a milestone of ${a}`,
        tag,
        description: 'Its issues and merge requests have none from then on.',
      },
    }),
  }
}

function contentEndpoints<const Path extends string, const Read extends Auth>({
  path,
  read,
  a,
}: ReadPlace<Path, Read>) {
  const one = `${path}/:milestone_id` as const
  return {
    listIssues: endpoint({
      method: 'GET',
      path: `${one}/issues`,
      params,
      paginated: true,
      response: { 200: z.array(Issue) },
      auth: read,
      errors: ['not_found'],
      docs: { summary: `List the issues of a milestone of ${a}, by label priority`, tag },
    }),
    listMergeRequests: endpoint({
      method: 'GET',
      path: `${one}/merge_requests`,
      params,
      paginated: true,
      response: { 200: z.array(MergeRequest) },
      auth: read,
      errors: ['not_found'],
      docs: { summary: `List the merge requests of a milestone of ${a}`, tag },
    }),
    listBurndownEvents: endpoint({
      method: 'GET',
      path: `${one}/burndown_events`,
      params,
      paginated: true,
      response: { 200: z.array(BurndownEvent) },
      auth: read,
      tier: 'premium',
      errors: ['not_found'],
      docs: {
        summary: `List when issues of a milestone of ${a} were created, closed and reopened`,
        tag,
        description: 'Empty where the milestone has no start or no due date.',
      },
    }),
  }
}
