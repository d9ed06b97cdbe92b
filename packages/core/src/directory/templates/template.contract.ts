import { z } from 'zod'
import type { Auth } from '../../platform/contract/endpoint.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, oneOf, optional, text } from '../../platform/contract/fields.ts'
import { maxNameLength } from '../../platform/contract/text-options.ts'
import { License, Template, TemplateName, templateTypes } from './template.schema.ts'

const placeholder = { max: maxNameLength }
const placeholders = z.object(optional({ project: text(placeholder), fullname: text(placeholder) }))

interface Kind<Name extends string, Type extends string, As extends Auth> {
  name: Name
  type: Type
  /** Another type in paths of existing clients. */
  alias?: string
  a: string
  auth: As
}

/** The endpoints that all templates but licenses have in common. */
function templatesOf<const Name extends string, const Type extends string, const As extends Auth>({
  name,
  type,
  alias,
  a,
  auth,
}: Kind<Name, Type, As>) {
  const aliases = alias === undefined ? [] : [`/templates/${alias}`]
  return {
    list: endpoint({
      name: `templates.${name}.list` as const,
      method: 'GET',
      path: `/templates/${type}` as const,
      aliases,
      paginated: true,
      response: { 200: z.array(TemplateName) },
      auth,
      docs: { summary: `List templates of ${a}` },
    }),
    show: endpoint({
      name: `templates.${name}.show` as const,
      method: 'GET',
      path: `/templates/${type}/:key` as const,
      aliases: aliases.map((path) => `${path}/:key`),
      response: { 200: Template },
      auth,
      errors: ['not_found'],
      docs: { summary: `Show a template of ${a}` },
    }),
  }
}

/** Templates of Dockerfiles. */
export const dockerfileTemplatesContract = templatesOf({
  name: 'dockerfiles',
  type: 'dockerfiles',
  a: 'Dockerfiles',
  auth: 'public',
})

/** Templates of `.gitignore` files. */
export const gitignoreTemplatesContract = templatesOf({
  name: 'gitignores',
  type: 'gitignores',
  a: 'lists of ignored files',
  auth: 'public',
})

/** Templates of CI configurations. */
export const ciTemplatesContract = templatesOf({
  name: 'serviceCiYmls',
  type: 'service_ci_ymls',
  alias: 'gitlab_ci_ymls',
  a: 'CI configurations',
  auth: {},
})

/** Open-source licenses. */
export const licenseTemplatesContract = {
  list: endpoint({
    name: 'templates.licenses.list',
    method: 'GET',
    path: '/templates/licenses',
    // As @gitbeaker/rest spells it.
    aliases: ['/templates/Licenses'],
    query: z.object(optional({ popular: boolean() })),
    paginated: true,
    response: { 200: z.array(License) },
    auth: 'public',
    docs: { summary: 'List licenses' },
  }),
  show: endpoint({
    name: 'templates.licenses.show',
    method: 'GET',
    path: '/templates/licenses/:key',
    aliases: ['/templates/Licenses/:key'],
    query: placeholders,
    response: { 200: License },
    auth: 'optional',
    errors: ['not_found'],
    docs: {
      summary: 'Show a license',
      description: 'The year is filled in, and so are the project and the full name if known.',
    },
  }),
}

const reading = { on: 'project', ability: 'read_project', anonymous: true } as const
const params = z.object({ type: oneOf([...templateTypes, 'gitlab_ci_ymls']) })

/** The templates that a project can use, of any kind. */
export const projectTemplatesContract = {
  list: endpoint({
    name: 'projects.templates.list',
    method: 'GET',
    path: '/projects/:id/templates/:type',
    params,
    paginated: true,
    response: { 200: z.array(TemplateName) },
    auth: reading,
    docs: { summary: 'List templates for a project' },
  }),
  show: endpoint({
    name: 'projects.templates.show',
    method: 'GET',
    path: '/projects/:id/templates/:type/:key',
    params,
    query: placeholders,
    response: { 200: z.union([License, Template]) },
    auth: reading,
    errors: ['not_found'],
    docs: {
      summary: 'Show a template for a project',
      description: 'A license is filled in with the names of the project and of the caller.',
    },
  }),
}
