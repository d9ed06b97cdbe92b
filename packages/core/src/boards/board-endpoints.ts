import { z } from 'zod'
import { type Auth, endpoint } from '../contract/endpoint.ts'
import { clearableInteger, integer, optional, paid, text, textList } from '../contract/fields.ts'
import { Board, BoardList } from './board.schema.ts'

const tag = 'Boards'
const params = z.object({ board_id: integer() })
const listParams = z.object({ board_id: integer(), list_id: integer() })

/** The highest position that may be asked for; there are never as many lists. */
const maxPosition = 2_147_483_647

/** Where boards lie, and who reads and writes them there. */
interface BoardPlace<Path extends string, Read extends Auth, Admin extends Auth> {
  /** `/projects/:id/boards` */
  path: Path
  read: Read
  admin: Admin
  /** `a project`, in sentences. */
  a: string
}

/** The endpoints of the boards of projects and of groups (catalogue: planning, 2). */
export function boardEndpoints<
  const Path extends string,
  const Read extends Auth,
  const Admin extends Auth,
>(place: BoardPlace<Path, Read, Admin>) {
  return {
    ...readEndpoints(place),
    ...writeEndpoints(place),
    ...listReadEndpoints(place),
    ...listWriteEndpoints(place),
  }
}

type ReadPlace<Path extends string, Read extends Auth> = Pick<
  BoardPlace<Path, Read, Auth>,
  'path' | 'read' | 'a'
>
type WritePlace<Path extends string, Admin extends Auth> = Pick<
  BoardPlace<Path, Auth, Admin>,
  'path' | 'admin' | 'a'
>

function readEndpoints<const Path extends string, const Read extends Auth>({
  path,
  read,
  a,
}: ReadPlace<Path, Read>) {
  return {
    list: endpoint({
      method: 'GET',
      path,
      paginated: true,
      response: { 200: z.array(Board) },
      auth: read,
      docs: {
        summary: `List the boards of ${a}`,
        tag,
        description: 'Where there is none, a first one is made.',
      },
    }),
    show: endpoint({
      method: 'GET',
      path: `${path}/:board_id`,
      params,
      response: { 200: Board },
      auth: read,
      errors: ['not_found'],
      docs: { summary: `Show a board of ${a}`, tag },
    }),
  }
}

function writeEndpoints<const Path extends string, const Admin extends Auth>({
  path,
  admin,
  a,
}: WritePlace<Path, Admin>) {
  const one = `${path}/:board_id` as const
  return {
    create: endpoint({
      method: 'POST',
      path,
      body: z.object({ name: text() }),
      response: { 201: Board },
      auth: admin,
      tier: 'premium',
      errors: ['validation_failed'],
      docs: { summary: `Create a board in ${a}`, tag },
    }),
    update: endpoint({
      method: 'PUT',
      path: one,
      params,
      body: z.object(
        optional({
          name: text(),
          assignee_id: clearableInteger(),
          milestone_id: clearableInteger(),
          labels: textList(),
          weight: clearableInteger({ min: 0, max: 9 }),
        }),
      ),
      response: { 200: Board },
      auth: admin,
      tier: 'premium',
      errors: ['not_found', 'validation_failed'],
      docs: { summary: `Change a board of ${a}, or what it is narrowed to`, tag },
    }),
    remove: endpoint({
      method: 'DELETE',
      path: one,
      params,
      response: { 204: null },
      auth: admin,
      tier: 'premium',
      errors: ['not_found', 'precondition_failed'],
      docs: { summary: `Delete a board of ${a}`, tag },
    }),
  }
}

function listReadEndpoints<const Path extends string, const Read extends Auth>({
  path,
  read,
  a,
}: ReadPlace<Path, Read>) {
  const all = `${path}/:board_id/lists` as const
  return {
    listLists: endpoint({
      method: 'GET',
      path: all,
      params,
      paginated: true,
      response: { 200: z.array(BoardList) },
      auth: read,
      errors: ['not_found'],
      docs: {
        summary: `List the columns of a board of ${a}`,
        tag,
        description: 'Those of open and of closed issues are not among them.',
      },
    }),
    showList: endpoint({
      method: 'GET',
      path: `${all}/:list_id`,
      params: listParams,
      response: { 200: BoardList },
      auth: read,
      errors: ['not_found'],
      docs: { summary: `Show a column of a board of ${a}`, tag },
    }),
  }
}

function listWriteEndpoints<const Path extends string, const Admin extends Auth>({
  path,
  admin,
  a,
}: WritePlace<Path, Admin>) {
  const all = `${path}/:board_id/lists` as const
  const one = `${all}/:list_id` as const
  return {
    createList: endpoint({
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
      response: { 201: BoardList },
      auth: admin,
      errors: ['bad_request', 'invalid_parameter', 'not_found', 'validation_failed'],
      docs: {
        summary: `Add a column to a board of ${a}`,
        tag,
        description: 'Of a label, an assignee or a milestone: exactly one is named.',
      },
    }),
    moveList: endpoint({
      method: 'PUT',
      path: one,
      params: listParams,
      body: z.object({ position: integer({ max: maxPosition }) }),
      response: { 200: BoardList },
      auth: admin,
      errors: ['bad_request', 'not_found'],
      docs: { summary: `Move a column of a board of ${a}`, tag },
    }),
    removeList: endpoint({
      method: 'DELETE',
      path: one,
      params: listParams,
      response: { 204: null },
      auth: admin,
      errors: ['not_found'],
      docs: { summary: `Remove a column from a board of ${a}`, tag },
    }),
  }
}
