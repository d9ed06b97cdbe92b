import { z } from 'zod'
import { type Auth, endpoint } from '../contract/endpoint.ts'
import { optional, text } from '../contract/fields.ts'

const tag = 'Labels'
const byTitle = 'A label is named by its id or its title.'
const edits = optional({ new_name: text(), color: text(), description: text() })

/** Where labels lie, what is shown and kept of them there, and who reads, follows and writes them. */
interface LabelPlace<
  Path extends string,
  Shown extends z.ZodType,
  More extends z.ZodRawShape,
  Read extends Auth,
  Subscribe extends Auth,
  Admin extends Auth,
> {
  /** `/projects/:id/labels` */
  path: Path
  shown: Shown
  /** What can be set beside name, colour and description. */
  more: More
  read: Read
  subscribe: Subscribe
  admin: Admin
  /** `a project`, in sentences. */
  a: string
}

/** The endpoints that the labels of projects and of groups share (catalogue: planning, 4.1 and 4.2). */
export function labelEndpoints<
  const Path extends string,
  Shown extends z.ZodType,
  More extends z.ZodRawShape,
  const Read extends Auth,
  const Subscribe extends Auth,
  const Admin extends Auth,
>(place: LabelPlace<Path, Shown, More, Read, Subscribe, Admin>) {
  return {
    ...readEndpoints(place),
    ...writeEndpoints(place),
    ...removalEndpoints(place),
    ...subscriptionEndpoints(place),
  }
}

function readEndpoints<
  const Path extends string,
  Shown extends z.ZodType,
  const Read extends Auth,
>({ path, shown, read, a }: { path: Path; shown: Shown; read: Read; a: string }) {
  return {
    list: endpoint({
      method: 'GET',
      path,
      paginated: true,
      query: z.object(optional({ name: text() })),
      response: { 200: z.array(shown) },
      auth: read,
      docs: {
        summary: `List the labels of ${a} and of the groups above it, by title`,
        tag,
        description: 'With `name`, those of this very title.',
      },
    }),
    show: endpoint({
      method: 'GET',
      path: `${path}/:label_id` as const,
      response: { 200: shown },
      auth: read,
      errors: ['not_found'],
      docs: { summary: `Show a label of ${a}`, tag, description: byTitle },
    }),
  }
}

function writeEndpoints<
  const Path extends string,
  Shown extends z.ZodType,
  More extends z.ZodRawShape,
  const Admin extends Auth,
>(place: { path: Path; shown: Shown; more: More; admin: Admin; a: string }) {
  const { path, shown, more, admin, a } = place
  const errors = ['not_found', 'invalid_parameter', 'validation_failed'] as const
  return {
    create: endpoint({
      method: 'POST',
      path,
      body: z.object({ name: text(), color: text(), description: text().optional(), ...more }),
      response: { 201: shown },
      auth: admin,
      errors: ['conflict', 'validation_failed'],
      docs: {
        summary: `Create a label in ${a}`,
        tag,
        description: 'The colour is `#rrggbb`, `#rgb` or a name of CSS.',
      },
    }),
    update: endpoint({
      method: 'PUT',
      path,
      body: z.object({ name: text(), ...edits, ...more }),
      response: { 200: shown },
      auth: admin,
      errors,
      docs: { summary: `Change the label of a name in ${a}`, tag },
    }),
    updateOne: endpoint({
      method: 'PUT',
      path: `${path}/:label_id` as const,
      body: z.object({ ...edits, ...more }),
      response: { 200: shown },
      auth: admin,
      errors,
      docs: { summary: `Change a label of ${a}`, tag, description: byTitle },
    }),
  }
}

function removalEndpoints<const Path extends string, const Admin extends Auth>({
  path,
  admin,
  a,
}: {
  path: Path
  admin: Admin
  a: string
}) {
  return {
    remove: endpoint({
      method: 'DELETE',
      path,
      query: z.object({ name: text() }),
      response: { 204: null },
      auth: admin,
      errors: ['not_found', 'precondition_failed'],
      docs: { summary: `Delete the label of a name from ${a}`, tag },
    }),
    removeOne: endpoint({
      method: 'DELETE',
      path: `${path}/:label_id` as const,
      response: { 204: null },
      auth: admin,
      errors: ['not_found', 'precondition_failed'],
      docs: { summary: `Delete a label of ${a}`, tag, description: byTitle },
    }),
  }
}

function subscriptionEndpoints<
  const Path extends string,
  Shown extends z.ZodType,
  const Subscribe extends Auth,
>({ path, shown, subscribe, a }: { path: Path; shown: Shown; subscribe: Subscribe; a: string }) {
  return {
    subscribe: endpoint({
      method: 'POST',
      path: `${path}/:label_id/subscribe` as const,
      response: { 201: shown },
      auth: subscribe,
      errors: ['not_found', 'not_modified'],
      docs: { summary: `Subscribe to a label of ${a}`, tag, description: byTitle },
    }),
    unsubscribe: endpoint({
      method: 'POST',
      path: `${path}/:label_id/unsubscribe` as const,
      response: { 201: shown },
      auth: subscribe,
      errors: ['not_found', 'not_modified'],
      docs: {
        summary: `Take a subscription to a label of ${a} back`,
        tag,
        description: byTitle,
      },
    }),
  }
}
