import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, text } from '../../platform/contract/fields.ts'
import { ItemsQuery } from '../../platform/contract/listed-descriptions.ts'
import { nameText } from '../../platform/contract/text-options.ts'
import { Epic } from '../epics/epic.schema.ts'
import { maxEpicLevels } from '../epics/epic-tree.rules.ts'
import {
  MoveAmongSiblings,
  moveConstraints,
  moveDescription,
} from '../items/relative-order.schema.ts'
import { LinkedEpic } from './epic-link.schema.ts'

const path = '/groups/:id/epics/:epic_iid/epics'
const linksPath = '/groups/:id/epics/:epic_iid/links'
const params = z.object({ epic_iid: integer() })
const childParams = params.extend({ child_epic_id: integer() })
const link = { on: 'epic', ability: 'update_epic' } as const
const rules = `There can be at most ${maxEpicLevels} levels of epics.`

/** Child epics. The paths with `links` are those of newer v4 clients. */
export const epicLinksContract = {
  list: endpoint({
    name: 'epics.links.list',
    method: 'GET',
    path,
    aliases: [linksPath],
    params,
    query: ItemsQuery,
    paginated: true,
    response: { 200: z.array(Epic) },
    auth: { on: 'epic', ability: 'read_epic' },
    tier: 'premium',
    errors: ['not_found'],
    docs: {
      summary: 'List child epics of an epic',
      description: 'Those that the caller can read, in their order.',
    },
  }),
  create: endpoint({
    name: 'epics.links.create',
    method: 'POST',
    path,
    aliases: [linksPath],
    params,
    body: z.object({ title: text(nameText) }),
    response: { 201: LinkedEpic },
    auth: link,
    tier: 'premium',
    errors: ['not_found', 'validation_failed'],
    docs: {
      summary: 'Create a child epic',
      description: `Creates an epic in the group of its parent, as its last child. ${rules}`,
    },
  }),
  assign: endpoint({
    name: 'epics.links.assign',
    method: 'POST',
    path: `${path}/:child_epic_id`,
    aliases: [`${linksPath}/:child_epic_id`],
    params: childParams,
    response: { 201: Epic },
    auth: link,
    tier: 'premium',
    errors: ['not_found', 'forbidden', 'conflict', 'validation_failed'],
    docs: {
      summary: 'Assign a child epic to an epic',
      description: `The child becomes the last one, and is no longer a child of another epic. It belongs to the same group or to one of its subgroups, where the Reporter role is needed, too. ${rules}`,
    },
  }),
  move: endpoint({
    name: 'epics.links.move',
    method: 'PUT',
    path: `${path}/:child_epic_id`,
    aliases: [`${linksPath}/:child_epic_id`],
    params: childParams,
    body: MoveAmongSiblings,
    constraints: moveConstraints,
    response: { 200: z.array(Epic) },
    auth: link,
    tier: 'premium',
    errors: ['not_found', 'bad_request'],
    docs: {
      summary: 'Move a child epic among its siblings',
      description: moveDescription('children'),
    },
  }),
  remove: endpoint({
    name: 'epics.links.delete',
    method: 'DELETE',
    path: `${path}/:child_epic_id`,
    aliases: [`${linksPath}/:child_epic_id`],
    params: childParams,
    response: { 200: Epic },
    auth: link,
    tier: 'premium',
    errors: ['not_found', 'forbidden'],
    docs: {
      summary: 'Unassign a child epic',
      description: 'Returns the child, which has no parent any longer.',
    },
  }),
}
