import { z } from 'zod'
import { clearableDate } from '../../platform/contract/date-fields.ts'
import { type Auth, endpoint } from '../../platform/contract/endpoint.ts'
import { integer, oneOf, optional, text } from '../../platform/contract/fields.ts'
import { integerList } from '../../platform/contract/list-fields.ts'
import { ItemsQuery } from '../../platform/contract/listed-descriptions.ts'
import { nameText, proseText } from '../../platform/contract/text-options.ts'
import { Issue } from '../issues/issue.schema.ts'
import { MergeRequest } from '../items/merge-request.schema.ts'
import { BurndownEvent, Milestone } from './milestone.schema.ts'

const params = z.object({ milestone_id: integer() })
const dates = { due_date: clearableDate(), start_date: clearableDate() }

/** The parent of milestones, and who may read and write them there. */
interface MilestoneParent<Path extends string, Read extends Auth, Admin extends Auth> {
  /** `/projects/:id/milestones` */
  path: Path
  read: Read
  admin: Admin
  /** `a project`, in summaries. */
  a: string
}

/** Builds the milestone endpoints of projects or groups. */
export function milestoneEndpoints<
  const Path extends string,
  const Read extends Auth,
  const Admin extends Auth,
>(parent: MilestoneParent<Path, Read, Admin>) {
  return { ...readEndpoints(parent), ...writeEndpoints(parent), ...contentEndpoints(parent) }
}

type ReadEndpointsOf<Path extends string, Read extends Auth> = Pick<
  MilestoneParent<Path, Read, Auth>,
  'path' | 'read' | 'a'
>

function readEndpoints<const Path extends string, const Read extends Auth>({
  path,
  read,
  a,
}: ReadEndpointsOf<Path, Read>) {
  const one = `${path}/:milestone_id` as const
  return {
    list: endpoint({
      name: 'milestones.list',
      method: 'GET',
      path,
      query: ItemsQuery.extend(
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
      docs: { summary: `List milestones of ${a}`, description: 'Newest first.' },
    }),
    show: endpoint({
      name: 'milestones.show',
      method: 'GET',
      path: one,
      params,
      response: { 200: Milestone },
      auth: read,
      errors: ['not_found'],
      docs: { summary: `Show a milestone of ${a}` },
    }),
  }
}

const edits = optional({
  title: text(nameText),
  description: text(proseText),
  ...dates,
  state_event: oneOf(['close', 'activate']),
})

function writeEndpoints<const Path extends string, const Admin extends Auth>({
  path,
  admin,
  a,
}: Pick<MilestoneParent<Path, Auth, Admin>, 'path' | 'admin' | 'a'>) {
  const one = `${path}/:milestone_id` as const
  return {
    create: endpoint({
      name: 'milestones.create',
      method: 'POST',
      path,
      body: z.object({
        title: text(nameText),
        ...optional({ description: text(proseText), ...dates }),
      }),
      response: { 201: Milestone },
      auth: admin,
      errors: ['bad_request'],
      docs: { summary: `Create a milestone in ${a}` },
    }),
    update: endpoint({
      name: 'milestones.update',
      method: 'PUT',
      path: one,
      params,
      body: z.object(edits),
      constraints: [{ atLeastOneOf: Object.keys(edits) }],
      response: { 200: Milestone },
      auth: admin,
      errors: ['bad_request', 'invalid_parameter', 'not_found'],
      docs: {
        summary: `Update a milestone of ${a}`,
        description: '`state_event` closes or activates the milestone.',
      },
    }),
    remove: endpoint({
      name: 'milestones.delete',
      method: 'DELETE',
      path: one,
      params,
      response: { 204: null },
      auth: admin,
      errors: ['not_found', 'precondition_failed'],
      docs: {
        summary: `Delete a milestone of ${a}`,
        description: 'Removes the milestone from its issues and merge requests.',
      },
    }),
  }
}

const itemList = {
  method: 'GET',
  params,
  query: ItemsQuery,
  paginated: true,
  errors: ['not_found'],
} as const

function contentEndpoints<const Path extends string, const Read extends Auth>({
  path,
  read,
  a,
}: ReadEndpointsOf<Path, Read>) {
  const one = `${path}/:milestone_id` as const
  return {
    listIssues: endpoint({
      name: 'milestones.issues',
      ...itemList,
      path: `${one}/issues`,
      response: { 200: z.array(Issue) },
      auth: read,
      docs: {
        summary: `List issues of a milestone of ${a}`,
        description: 'Ordered by label priority.',
      },
    }),
    listMergeRequests: endpoint({
      name: 'milestones.mergeRequests',
      ...itemList,
      path: `${one}/merge_requests`,
      response: { 200: z.array(MergeRequest) },
      auth: read,
      docs: { summary: `List merge requests of a milestone of ${a}` },
    }),
    listBurndownEvents: endpoint({
      name: 'milestones.burndownEvents',
      method: 'GET',
      path: `${one}/burndown_events`,
      params,
      paginated: true,
      response: { 200: z.array(BurndownEvent) },
      auth: read,
      tier: 'premium',
      errors: ['not_found'],
      docs: {
        summary: `List burndown events of a milestone of ${a}`,
        description:
          'When its issues were created, closed and reopened. Empty unless the milestone has a ' +
          'start date and a due date.',
      },
    }),
  }
}
