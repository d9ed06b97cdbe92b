import { z } from 'zod'
import { type Auth, endpoint } from '../../platform/contract/endpoint.ts'
import { optional, type TextOptions, text } from '../../platform/contract/fields.ts'
import { maxNameLength } from '../../platform/contract/text-options.ts'
import { cssColors } from './css-colors.ts'
import { maxLabelDescriptionLength } from './label.rules.ts'

const byTitle = 'The label is given by ID or title.'
/** The title of a label; labels are listed with commas between them. */
const labelTitle: TextOptions = {
  rules: { minLength: 1, maxLength: maxNameLength, pattern: String.raw`^[^,]*[^,\s][^,]*$` },
}

const colorNames = [...cssColors.keys()].join('|')

/** Three or six hex digits, or the name of a colour in CSS. */
const colorText: TextOptions = {
  rules: { maxLength: maxNameLength, pattern: `^(?:#(?:[0-9A-Fa-f]{3}){1,2}|${colorNames})$` },
}

const labelDescription: TextOptions = { rules: { maxLength: maxLabelDescriptionLength } }

const edits = optional({
  new_name: text(labelTitle),
  color: text(colorText),
  description: text(labelDescription),
})

/**
 * The parent of labels, their extra fields there, and who may read, subscribe to and write them.
 */
interface LabelParent<
  Path extends string,
  View extends z.ZodType,
  More extends z.ZodRawShape,
  Filters extends z.ZodRawShape,
  Read extends Auth,
  Subscribe extends Auth,
  Admin extends Auth,
> {
  /** `/projects/:id/labels` */
  path: Path
  view: View
  /** Fields besides name, colour and description. */
  more: More
  /** Filters of the list besides the title. */
  filters: Filters
  /** What the documentation of the list says of them. */
  aboutFilters?: string
  read: Read
  subscribe: Subscribe
  admin: Admin
  /** `a project`, in summaries. */
  a: string
}

/** Builds the label endpoints of projects or groups. */
export function labelEndpoints<
  const Path extends string,
  View extends z.ZodType,
  More extends z.ZodRawShape,
  Filters extends z.ZodRawShape,
  const Read extends Auth,
  const Subscribe extends Auth,
  const Admin extends Auth,
>(parent: LabelParent<Path, View, More, Filters, Read, Subscribe, Admin>) {
  return {
    ...readEndpoints(parent),
    ...writeEndpoints(parent),
    ...removalEndpoints(parent),
    ...subscriptionEndpoints(parent),
  }
}

function readEndpoints<
  const Path extends string,
  View extends z.ZodType,
  Filters extends z.ZodRawShape,
  const Read extends Auth,
>({
  path,
  view,
  filters,
  aboutFilters = '',
  read,
  a,
}: {
  path: Path
  view: View
  filters: Filters
  aboutFilters?: string
  read: Read
  a: string
}) {
  return {
    list: endpoint({
      name: 'labels.list',
      method: 'GET',
      path,
      paginated: true,
      query: z.object({ ...optional({ name: text() }), ...filters }),
      response: { 200: z.array(view) },
      auth: read,
      docs: {
        summary: `List labels of ${a}`,
        description:
          'Ordered by title. Includes labels of ancestor groups. `name` filters by exact title.' +
          aboutFilters,
      },
    }),
    show: endpoint({
      name: 'labels.show',
      method: 'GET',
      path: `${path}/:label_id` as const,
      response: { 200: view },
      auth: read,
      errors: ['not_found'],
      docs: { summary: `Show a label of ${a}`, description: byTitle },
    }),
  }
}

function writeEndpoints<
  const Path extends string,
  View extends z.ZodType,
  More extends z.ZodRawShape,
  const Admin extends Auth,
>(parent: { path: Path; view: View; more: More; admin: Admin; a: string }) {
  const { path, view, more, admin, a } = parent
  const errors = ['not_found', 'invalid_parameter', 'validation_failed'] as const
  const constraints = [{ atLeastOneOf: [...Object.keys(edits), ...Object.keys(more)] }]
  return {
    create: endpoint({
      name: 'labels.create',
      method: 'POST',
      path,
      body: z.object({
        name: text(labelTitle),
        color: text(colorText),
        description: text(labelDescription).optional(),
        ...more,
      }),
      response: { 201: view },
      auth: admin,
      errors: ['conflict', 'validation_failed'],
      docs: {
        summary: `Create a label in ${a}`,
        description: 'The color is `#rrggbb`, `#rgb` or a CSS color name.',
      },
    }),
    update: endpoint({
      name: 'labels.update',
      legacy: true,
      method: 'PUT',
      path,
      body: z.object({ name: text(), ...edits, ...more }),
      constraints,
      response: { 200: view },
      auth: admin,
      errors,
      docs: { summary: `Update a label of ${a} by its name` },
    }),
    updateOne: endpoint({
      name: 'labels.update',
      method: 'PUT',
      path: `${path}/:label_id` as const,
      body: z.object({ ...edits, ...more }),
      constraints,
      response: { 200: view },
      auth: admin,
      errors,
      docs: { summary: `Update a label of ${a}`, description: byTitle },
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
      name: 'labels.delete',
      legacy: true,
      method: 'DELETE',
      path,
      query: z.object({ name: text() }),
      response: { 204: null },
      auth: admin,
      errors: ['not_found', 'precondition_failed'],
      docs: { summary: `Delete a label of ${a} by its name` },
    }),
    removeOne: endpoint({
      name: 'labels.delete',
      method: 'DELETE',
      path: `${path}/:label_id` as const,
      response: { 204: null },
      auth: admin,
      errors: ['not_found', 'precondition_failed'],
      docs: { summary: `Delete a label of ${a}`, description: byTitle },
    }),
  }
}

function subscriptionEndpoints<
  const Path extends string,
  View extends z.ZodType,
  const Subscribe extends Auth,
>({ path, view, subscribe, a }: { path: Path; view: View; subscribe: Subscribe; a: string }) {
  return {
    subscribe: endpoint({
      name: 'labels.subscribe',
      method: 'POST',
      path: `${path}/:label_id/subscribe` as const,
      response: { 201: view },
      auth: subscribe,
      errors: ['not_found', 'not_modified'],
      docs: { summary: `Subscribe to a label of ${a}`, description: byTitle },
    }),
    unsubscribe: endpoint({
      name: 'labels.unsubscribe',
      method: 'POST',
      path: `${path}/:label_id/unsubscribe` as const,
      response: { 201: view },
      auth: subscribe,
      errors: ['not_found', 'not_modified'],
      docs: { summary: `Unsubscribe from a label of ${a}`, description: byTitle },
    }),
  }
}
