import { z } from 'zod'
import { type Auth, endpoint } from '../../platform/contract/endpoint.ts'
import { clearableInteger, integer, optional, paid, text } from '../../platform/contract/fields.ts'
import { textList } from '../../platform/contract/list-fields.ts'
import { nameText, shortText } from '../../platform/contract/text-options.ts'
import { Board, BoardList } from './board.schema.ts'

const params = z.object({ board_id: integer() })
const listParams = z.object({ board_id: integer(), list_id: integer() })

const changes = z.object(
  optional({
    name: text(nameText),
    assignee_id: clearableInteger(),
    milestone_id: clearableInteger(),
    labels: textList(shortText),
    weight: clearableInteger({ min: 0, max: 9 }),
  }),
)

/** Maximum position in a request; larger than any board. */
const maxPosition = 2_147_483_647

/** The parent of boards, and who may read and write them there. */
interface BoardParent<Path extends string, Read extends Auth, Admin extends Auth> {
  /** `/projects/:id/boards` */
  path: Path
  read: Read
  admin: Admin
  /** `a project`, in summaries. */
  a: string
}

/** Builds the board endpoints of projects or groups. */
export function boardEndpoints<
  const Path extends string,
  const Read extends Auth,
  const Admin extends Auth,
>(parent: BoardParent<Path, Read, Admin>) {
  return {
    ...readEndpoints(parent),
    ...writeEndpoints(parent),
    ...listReadEndpoints(parent),
    ...listWriteEndpoints(parent),
  }
}

type ReadEndpointsOf<Path extends string, Read extends Auth> = Pick<
  BoardParent<Path, Read, Auth>,
  'path' | 'read' | 'a'
>
type WriteEndpointsOf<Path extends string, Admin extends Auth> = Pick<
  BoardParent<Path, Auth, Admin>,
  'path' | 'admin' | 'a'
>

function readEndpoints<const Path extends string, const Read extends Auth>({
  path,
  read,
  a,
}: ReadEndpointsOf<Path, Read>) {
  return {
    list: endpoint({
      name: 'boards.list',
      method: 'GET',
      path,
      paginated: true,
      response: { 200: z.array(Board) },
      auth: read,
      docs: { summary: `List boards of ${a}` },
    }),
    show: endpoint({
      name: 'boards.show',
      method: 'GET',
      path: `${path}/:board_id`,
      params,
      response: { 200: Board },
      auth: read,
      errors: ['not_found'],
      docs: { summary: `Show a board of ${a}` },
    }),
  }
}

function writeEndpoints<const Path extends string, const Admin extends Auth>({
  path,
  admin,
  a,
}: WriteEndpointsOf<Path, Admin>) {
  const one = `${path}/:board_id` as const
  return {
    create: endpoint({
      name: 'boards.create',
      method: 'POST',
      path,
      body: z.object({ name: text(nameText) }),
      response: { 201: Board },
      auth: admin,
      errors: ['validation_failed'],
      docs: {
        summary: `Create a board in ${a}`,
        description: 'The community tier has at most one board.',
      },
    }),
    update: endpoint({
      name: 'boards.update',
      method: 'PUT',
      path: one,
      params,
      body: changes,
      response: { 200: Board },
      auth: admin,
      tier: 'premium',
      errors: ['not_found', 'validation_failed'],
      docs: {
        summary: `Update a board of ${a}`,
        description: 'The name, and the scope: assignee, milestone, labels and weight.',
      },
    }),
    remove: endpoint({
      name: 'boards.delete',
      method: 'DELETE',
      path: one,
      params,
      response: { 204: null },
      auth: admin,
      tier: 'premium',
      errors: ['not_found', 'precondition_failed'],
      docs: { summary: `Delete a board of ${a}` },
    }),
  }
}

function listReadEndpoints<const Path extends string, const Read extends Auth>({
  path,
  read,
  a,
}: ReadEndpointsOf<Path, Read>) {
  const all = `${path}/:board_id/lists` as const
  return {
    listLists: endpoint({
      name: 'boards.lists.list',
      method: 'GET',
      path: all,
      params,
      paginated: true,
      response: { 200: z.array(BoardList) },
      auth: read,
      errors: ['not_found'],
      docs: {
        summary: `List board lists in ${a}`,
        description: 'The lists of one board, without those of open and of closed issues.',
      },
    }),
    showList: endpoint({
      name: 'boards.lists.show',
      method: 'GET',
      path: `${all}/:list_id`,
      params: listParams,
      response: { 200: BoardList },
      auth: read,
      errors: ['not_found'],
      docs: { summary: `Show a board list in ${a}` },
    }),
  }
}

function listWriteEndpoints<const Path extends string, const Admin extends Auth>({
  path,
  admin,
  a,
}: WriteEndpointsOf<Path, Admin>) {
  const all = `${path}/:board_id/lists` as const
  const one = `${all}/:list_id` as const
  return {
    createList: endpoint({
      name: 'boards.lists.create',
      method: 'POST',
      path: all,
      params,
      body: z.object(
        optional({
          label_id: integer(),
          assignee_id: paid(integer()),
          milestone_id: paid(integer()),
        }),
      ),
      constraints: [{ exactlyOneOf: ['label_id', 'assignee_id', 'milestone_id'] }],
      response: { 201: BoardList },
      auth: admin,
      errors: ['bad_request', 'invalid_parameter', 'not_found', 'validation_failed'],
      docs: {
        summary: `Create a board list in ${a}`,
        description: 'Exactly one of a label, an assignee and a milestone must be given.',
      },
    }),
    moveList: endpoint({
      name: 'boards.lists.update',
      method: 'PUT',
      path: one,
      params: listParams,
      body: z.object({ position: integer({ max: maxPosition }) }),
      response: { 200: BoardList },
      auth: admin,
      errors: ['bad_request', 'not_found'],
      docs: { summary: `Reorder a board list in ${a}` },
    }),
    removeList: endpoint({
      name: 'boards.lists.delete',
      method: 'DELETE',
      path: one,
      params: listParams,
      response: { 204: null },
      auth: admin,
      errors: ['not_found'],
      docs: { summary: `Delete a board list in ${a}` },
    }),
  }
}
