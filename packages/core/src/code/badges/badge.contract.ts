import { z } from 'zod'
import { type AuthOn, endpoint } from '../../platform/contract/endpoint.ts'
import {
  integer,
  nonEmptyText,
  optional,
  type TextOptions,
} from '../../platform/contract/fields.ts'
import { maxUrlLength } from '../../platform/contract/text-options.ts'
import { linkPattern } from '../../platform/contract/web-urls.ts'
import { badgeSchemes } from './badge.rules.ts'
import { Badge, BadgePreview } from './badge.schema.ts'

/** An address with or without placeholders. */
const badgeUrl: TextOptions = {
  rules: {
    maxLength: maxUrlLength,
    pattern: linkPattern(badgeSchemes),
  },
}

const urls = { link_url: nonEmptyText(badgeUrl), image_url: nonEmptyText(badgeUrl) }
const params = z.object({ badge_id: integer({ min: 1 }) })

/** The parent of badges, and who may read and write them there. */
interface BadgeParent<Path extends string, Read extends AuthOn, Admin extends AuthOn> {
  path: Path
  read: Read
  admin: Admin
  a: string
}

/** Builds the badge endpoints of projects or groups. */
function badgeEndpoints<
  const Path extends string,
  const Read extends AuthOn,
  const Admin extends AuthOn,
>(parent: BadgeParent<Path, Read, Admin>) {
  return { ...readEndpoints(parent), ...writeEndpoints(parent) }
}

function readEndpoints<
  const Path extends string,
  const Read extends AuthOn,
  const Admin extends AuthOn,
>({ path, read, admin, a }: BadgeParent<Path, Read, Admin>) {
  return {
    list: endpoint({
      name: 'badges.list',
      method: 'GET',
      path,
      paginated: true,
      response: { 200: z.array(Badge) },
      auth: read,
      docs: {
        summary: `List badges of ${a}`,
        description: 'Oldest first. A project lists those of its group and its ancestors as well.',
      },
    }),
    render: endpoint({
      name: 'badges.render',
      method: 'GET',
      path: `${path}/render` as const,
      query: z.object(urls),
      response: { 200: BadgePreview },
      auth: admin,
      errors: ['validation_failed'],
      docs: { summary: `Preview a badge of ${a}` },
    }),
    show: endpoint({
      name: 'badges.show',
      method: 'GET',
      path: `${path}/:badge_id` as const,
      params,
      response: { 200: Badge },
      auth: read,
      errors: ['not_found'],
      docs: { summary: `Show a badge of ${a}` },
    }),
  }
}

function writeEndpoints<const Path extends string, const Admin extends AuthOn>({
  path,
  admin,
  a,
}: BadgeParent<Path, AuthOn, Admin>) {
  const one = `${path}/:badge_id` as const
  return {
    create: endpoint({
      name: 'badges.create',
      method: 'POST',
      path,
      body: z.object(urls),
      response: { 201: Badge },
      auth: admin,
      errors: ['validation_failed'],
      docs: {
        summary: `Create a badge of ${a}`,
        description:
          'In both URLs, `%{project_path}`, `%{project_id}`, `%{default_branch}` and ' +
          '`%{commit_sha}` are replaced with those of the project that shows the badge.',
      },
    }),
    update: endpoint({
      name: 'badges.update',
      method: 'PUT',
      path: one,
      params,
      body: z.object(optional(urls)),
      response: { 200: Badge },
      auth: admin,
      errors: ['not_found', 'validation_failed'],
      docs: { summary: `Update a badge of ${a}` },
    }),
    delete: endpoint({
      name: 'badges.delete',
      method: 'DELETE',
      path: one,
      params,
      response: { 204: null },
      auth: admin,
      errors: ['not_found', 'precondition_failed'],
      docs: { summary: `Delete a badge of ${a}` },
    }),
  }
}

/** Badges of projects: their own, and those of their groups. */
export const projectBadgesContract = badgeEndpoints({
  path: '/projects/:id/badges',
  read: { on: 'project', ability: 'read_project', anonymous: true },
  admin: { on: 'project', ability: 'admin_badges' },
  a: 'a project',
})

/** Badges of groups, which the projects in them and in their subgroups show as well. */
export const groupBadgesContract = badgeEndpoints({
  path: '/groups/:id/badges',
  read: { on: 'group', ability: 'read_group', anonymous: true },
  admin: { on: 'group', ability: 'admin_group_badges' },
  a: 'a group',
})
